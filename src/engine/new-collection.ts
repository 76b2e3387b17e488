import type { Config } from '../config/config.ts';
import { Frontier } from '../crawling/frontier/frontier.ts';
import { VisitedUrls } from '../crawling/visited-urls/visited-urls.ts';
import { DocumentController } from '../document-controller/document-controller.ts';
import { GarbageRepository } from '../garbage-detector/garbage-repository/garbage-repository.ts';
import { InvertedIndex } from '../inverted-index/inverted-index.ts';
import type { Database } from '../kit/sqlite.ts';
import { LinkGraph } from '../link-graph/link-graph.ts';
import { Repository } from '../repository/repository.ts';
import * as options from './options.ts';
import { RobotsStore } from './robots-store.ts';
import { Runs } from './runs.ts';

/**
 * Makes the tables of every box, so that readers find a whole collection whatever command wrote to the folder first.
 * Each box makes its own when it is opened.
 */
export function makeTables(database: Database, dataDir: string, config: Config): void {
  new Runs(database);
  new VisitedUrls(database, options.visitedOptionsOf(config));
  new Frontier(database, options.frontierOptionsOf(config));
  new LinkGraph(database, config.links);
  new InvertedIndex(database, options.indexOptionsOf(config));
  new GarbageRepository(database, config.garbage);
  new DocumentController(database, config.duplicates);
  new RobotsStore(database);
  // Opens no file before the first page is appended.
  new Repository(database, options.repositoryOptionsOf(config, dataDir, Date.now));
}
