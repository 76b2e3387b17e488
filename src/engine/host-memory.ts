import type { Judgement } from '../model/garbage.ts';
import type { PageReading } from './analysis.ts';
import type { CrawlTicket } from './crawl-types.ts';
import type { HostKnowledge } from './judging.ts';

export class HostMemory {
  knowledgeOf(_host: string): HostKnowledge {
    return {};
  }
  learn(_ticket: CrawlTicket, _reading: PageReading, _judgement: Judgement | undefined): void {}
}
