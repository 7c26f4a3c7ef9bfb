// memoir mcp uninstall: removes the entry from the settings of a program.
import { Argument, type Command } from 'commander';
import { CommandFailure, misused } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type ChoiceOptions, chooseHost, hostNames, settingsPath, withChoice } from '../../hosts/choose.ts';
import { examples } from '../../options.ts';
import { createPrint } from '../../output/print.ts';

interface UninstallOptions extends ChoiceOptions {
  print?: true;
}

const uninstallEntry = async (typed: string, options: UninstallOptions, host: Host): Promise<void> => {
  const { openSettingsFile } = await import('../../hosts/settings-file.ts');
  const print = createPrint(false);
  const agentHost = chooseHost(typed, options);
  if (agentHost.kind !== 'file')
    throw misused(`Memoir writes no settings of ${agentHost.title}. ${agentHost.removal}`);
  const file = settingsPath(agentHost, options, host);
  const settings = openSettingsFile(agentHost, file, options.name);
  if (settings.before === undefined) {
    throw new CommandFailure(`${file} has no server named "${options.name}", so there is nothing to remove.`);
  }
  print.answer(null, [`Removing the entry "${options.name}" from ${file}.`]);
  if (options.print === true) return;
  settings.remove();
  print.answer(null, [`${agentHost.title} no longer starts the tools.`]);
};

export const mcpUninstallCommand = (mcp: Command, host: Host): void => {
  const command = mcp
    .command('uninstall')
    .summary('remove the tools from a program')
    .description('Removes the entry from the settings of a program. Everything else in them stays.')
    .addArgument(new Argument('<program>', 'the program').choices(hostNames));
  examples(withChoice(command), ['memoir mcp uninstall claude-code']).action(
    (program: string, options: UninstallOptions) => uninstallEntry(program, options, host),
  );
};
