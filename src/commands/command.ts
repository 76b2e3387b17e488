import type { Config } from '../config/config.ts';

/** One option as the user writes it. `value` names its argument; without it the option is a switch. */
export interface OptionSpec {
  readonly name: string;
  readonly value?: string;
  readonly help: string;
  readonly type?: 'string' | 'integer' | 'number' | 'duration';
  /** Allowed words of a string option. */
  readonly choices?: readonly string[];
  readonly repeatable?: true;
  readonly min?: number;
  /** Default: the largest safe integer. */
  readonly max?: number;
  /** A string option whose empty value means something; elsewhere it is a mistake, such as an unset variable. */
  readonly mayBeEmpty?: true;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly help: string;
  readonly required?: true;
  readonly many?: true;
}

/** Values given by the user, already of the option's type. */
export type OptionValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** What a command may touch besides its arguments. */
export interface CommandContext {
  readonly config: Config;
  /** The collection's folder. */
  readonly dataDir: string;
  readonly json: boolean;
  /** Aborted at the first SIGINT or SIGTERM: finish, save, report. */
  readonly signal: AbortSignal;
  /** One line about work under way; the terminal overwrites the last one. */
  progress(line: string): void;
  /** A line for people on standard error. */
  note(line: string): void;
  readonly now: () => number;
}

export type CommandResult =
  | { readonly kind: 'report'; readonly json: unknown; readonly text: string; readonly exit?: 0 | 1 | 130 }
  | { readonly kind: 'lines'; readonly lines: AsyncIterable<string> | Iterable<string>; readonly exit?: 0 | 1 }
  /** Standard output byte by byte, whatever --json says. */
  | { readonly kind: 'bytes'; readonly chunks: AsyncIterable<Uint8Array>; readonly exit?: 0 | 1 };

export interface CommandInput {
  readonly args: readonly string[];
  readonly options: OptionValues;
}

/** One command: its words and what it does. A command group has `sub` commands instead of `run`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Its work never lets go of the thread, and what it writes is whole or not there: a signal ends it at once. */
  readonly endsAtOnce?: true;
  /** Adds the options of every command that fetches. */
  readonly fetches?: true;
  /** Needs no data folder. */
  readonly run?: (input: CommandInput, context: CommandContext) => Promise<CommandResult>;
  readonly sub?: readonly Command[];
}
