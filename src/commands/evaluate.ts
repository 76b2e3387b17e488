import type { Command } from './command.ts';
import { evaluateFormsCommand } from './evaluate-forms.ts';
import { evaluateGarbageCommand } from './evaluate-garbage.ts';
import { evaluateSearchCommand } from './evaluate-search.ts';
import { evaluateTreesCommand } from './evaluate-trees.ts';

export const evaluateCommand: Command = {
  name: 'evaluate',
  summary: 'measure detectors, learners and the ranking on labelled data',
  sub: [evaluateGarbageCommand, evaluateTreesCommand, evaluateSearchCommand, evaluateFormsCommand],
};
