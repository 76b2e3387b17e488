import { Command as Commander, CommanderError, Option } from 'commander';
import type { Command, CommandContext, CommandResult, OptionSpec, OptionValues } from '../commands/command.ts';
import { COMMANDS, UNBUILT } from '../commands/commands.ts';
import { loadConfig, nearest } from '../config/config.ts';
import { messageOf, UnableError, UsageError } from '../config/errors.ts';
import { asUnable } from '../engine/collection.ts';
import { VERSION } from '../engine/version.ts';
import { applyFetchOptions, dataFolder } from './context.ts';
import { COMMON_OPTIONS, FETCH_OPTIONS, parseOption } from './options.ts';
import { OutputError, watchOutput, write } from './output.ts';
import { createProgress, printable, SILENT } from './progress.ts';

const EXIT_USAGE = 2;
const EXIT_UNABLE = 1;
const EXIT_INTERRUPTED = 130;

const exitCode = await main(process.argv.slice(2));
// An error of standard output may have come before, and may still come.
process.exitCode ||= exitCode;

async function main(argv: readonly string[]): Promise<number> {
  watchOutput();
  let exit = 0;
  const unknown = unknownCommand(argv);
  if (unknown !== undefined) return failure(new UsageError(unknown));
  const program = buildProgram((code) => {
    exit = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    return failure(error);
  }
  return exit;
}

function failure(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
  if (error instanceof UsageError) {
    console.error(`winnow: ${printable(error.message)}`);
    return EXIT_USAGE;
  }
  if (error instanceof UnableError) {
    console.error(`winnow: ${printable(error.message)}`);
    return EXIT_UNABLE;
  }
  if (error instanceof OutputError) return EXIT_UNABLE;
  console.error(`winnow: ${printable(messageOf(error))}`);
  if (process.env['WINNOW_DEBUG'] && error instanceof Error) console.error(error.stack);
  return EXIT_UNABLE;
}

function buildProgram(setExit: (code: number) => void): Commander {
  const program = new Commander('winnow')
    .description('A search engine for one site, a set of sites or a topic.')
    .version(VERSION, '--version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'winnow: ')) })
    .showHelpAfterError('(winnow --help lists the commands; winnow COMMAND --help its options)');
  for (const command of COMMANDS) addCommand(program, command, setExit);
  program.action(() => {
    program.outputHelp();
  });
  return program;
}

/** What is wrong with the command's words, asked before the options so that they cannot hide it. */
function unknownCommand(argv: readonly string[]): string | undefined {
  const [word = '', second = ''] = argv;
  if (word === '' || word.startsWith('-') || word === 'help') return undefined;
  const command = COMMANDS.find(({ name }) => name === word);
  const reason = UNBUILT.get(word) ?? UNBUILT.get(`${word} ${second}`);
  if (reason !== undefined && command?.sub?.some(({ name }) => name === second) !== true)
    return `"${UNBUILT.has(word) ? word : `${word} ${second}`}" is not built yet: ${reason}`;
  if (command !== undefined) return undefined;
  const names = COMMANDS.map(({ name }) => name);
  return `unknown command "${word}"${nearest(word, names)}; "winnow --help" lists the commands`;
}

function addCommand(parent: Commander, command: Command, setExit: (code: number) => void): void {
  const child = parent.command(command.name).description(command.summary).exitOverride();
  if (command.details !== undefined) child.addHelpText('after', `\n${command.details}`);
  for (const sub of command.sub ?? []) addCommand(child, sub, setExit);
  const run = command.run;
  if (run === undefined) return;
  for (const argument of command.args ?? []) {
    const name = argument.many ? `${argument.name}...` : argument.name;
    child.argument(argument.required ? `<${name}>` : `[${name}]`, argument.help);
  }
  const specs = specsOf(command);
  for (const spec of specs) child.addOption(toOption(spec));
  child.action(async (...received: unknown[]) => {
    const args = received
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    const given: Readonly<Record<string, unknown>> = child.opts();
    setExit(await execute(command, run, args, pick(specs, given)));
  });
}

/** A command's own option wins over a common one of the same name (`evaluate trees --data F.arff`). */
function specsOf(command: Command): readonly OptionSpec[] {
  const own = command.options ?? [];
  const shared = [...(command.fetches ? FETCH_OPTIONS : []), ...COMMON_OPTIONS];
  return [...own, ...shared.filter((spec) => own.every(({ name }) => name !== spec.name))];
}

function toOption(spec: OptionSpec): Option {
  const option = new Option(spec.value === undefined ? `--${spec.name}` : `--${spec.name} <${spec.value}>`, spec.help);
  if (spec.value === undefined) return option;
  option.argParser((text: string, previous: unknown) => {
    const value = parseOption(spec, text);
    if (!spec.repeatable) return value;
    return Array.isArray(previous) ? [...previous, value] : [value];
  });
  return option;
}

/** Commander's camel-cased names back to the option names of the contract. */
function pick(specs: readonly OptionSpec[], given: Readonly<Record<string, unknown>>): OptionValues {
  const values: Record<string, string | number | boolean | readonly string[] | undefined> = {};
  for (const spec of specs) {
    const value = given[spec.name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') values[spec.name] = value;
    else if (Array.isArray(value)) values[spec.name] = value.map(String);
  }
  return values;
}

async function execute(
  command: Command,
  run: NonNullable<Command['run']>,
  args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const stop = new AbortController();
  const quiet = options['quiet'] === true;
  const progress = quiet ? SILENT : createProgress(process.stderr, Date.now);
  const config = loadConfig(typeof options['config'] === 'string' ? options['config'] : undefined);
  const context: CommandContext = {
    config: command.fetches ? applyFetchOptions(config, options) : config,
    dataDir: dataFolder(
      command.options?.some(({ name }) => name === 'data') ? { ...options, data: undefined } : options,
    ),
    json: options['json'] === true,
    signal: stop.signal,
    progress: (line) => progress.show(line),
    note: (line) => {
      if (quiet) return;
      progress.end();
      console.error(printable(line));
    },
    now: Date.now,
  };
  if (command.endsAtOnce !== true) stopOnSignals(stop, context);
  try {
    const result = await run({ args, options }, context);
    progress.end();
    return await print(result, context.json);
  } catch (error) {
    // Damage of a file may first be met in the middle of any work.
    throw asUnable(error, context.dataDir);
  }
}

function stopOnSignals(stop: AbortController, context: CommandContext): void {
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(EXIT_INTERRUPTED);
    context.note('stopping: finishing what is under way and saving (once more to stop at once)');
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // The terminal was closed.
  process.on('SIGHUP', onSignal);
}

async function print(result: CommandResult, json: boolean): Promise<number> {
  if (result.kind === 'report') {
    await write(json ? `${JSON.stringify(result.json, null, 2)}\n` : `${printable(result.text).trimEnd()}\n`);
    return result.exit ?? 0;
  }
  if (result.kind === 'bytes') {
    for await (const bytes of result.chunks) await write(bytes);
    return result.exit ?? 0;
  }
  let chunk = '';
  for await (const line of result.lines) {
    chunk += `${line}\n`;
    if (chunk.length > 65_536) {
      await write(chunk);
      chunk = '';
    }
  }
  await write(chunk);
  return result.exit ?? 0;
}
