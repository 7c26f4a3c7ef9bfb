// memoir mcp uninstall: takes the entry out of a program's settings again.
import { Argument, type Command } from 'commander';
import { CommandFailure } from '../failure.ts';
import type { Host } from '../host.ts';
import { type ChoiceOptions, chosen, hostNames, withChoice } from '../hosts/choose.ts';
import { openSettings } from '../hosts/settings-file.ts';
import { examples } from '../options.ts';
import { createPrint } from '../print.ts';

interface UninstallOptions extends ChoiceOptions {
  print?: true;
}

function uninstall(typed: string, options: UninstallOptions, host: Host): void {
  const print = createPrint(false);
  const { agentHost, file } = chosen(typed, options, host);
  const settings = openSettings(agentHost, file, options.name);
  if (settings.before === undefined) {
    throw new CommandFailure(`${file} has no server called "${options.name}"; there is nothing to take out.`);
  }
  print.answer(null, [`Out of ${file}: the entry "${options.name}".`]);
  if (options.print === true) return;
  settings.remove();
  print.answer(null, [`${agentHost.title} starts the tools no more.`]);
}

export function mcpUninstallCommand(mcp: Command, host: Host): void {
  const command = mcp
    .command('uninstall')
    .summary('take them out of a program again')
    .description('Takes the entry out of the settings of a program; everything else in them stays.')
    .addArgument(new Argument('<program>', 'the program').choices(hostNames));
  examples(withChoice(command), ['memoir mcp uninstall claude-code']).action(
    (program: string, options: UninstallOptions) => uninstall(program, options, host),
  );
}
