// memoir invites: creates, lists, resends and cancels invitations.
import { type Command, Option } from 'commander';
import { cancelInvite } from '../../../../tools/team/cancel.ts';
import { listInvites } from '../../../../tools/team/invitations.ts';
import { inviteMember } from '../../../../tools/team/invite.ts';
import { resendInvite } from '../../../../tools/team/resend.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { CommandFailure } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, tagOption, withCommon } from '../../options.ts';
import { dayOrNever, withoutControls } from '../../output/text.ts';

interface Made {
  email: string;
  expiresAt: string;
  link?: string | undefined;
}

const linkLines = ({ email, expiresAt, link }: Made): string[] =>
  link === undefined
    ? [`A mail with the link is on its way to ${email}.`]
    : [`Hand this link to ${email}. It works once, until ${dayOrNever(expiresAt)}:`, link];

interface CreateOptions extends CommonOptions {
  role: 'admin' | 'member';
  tag?: string[];
  permission: 'read' | 'write';
}

const inviteByHand = async (
  { client, print }: CommandWork,
  email: string,
  { role, tag, permission }: CreateOptions,
): Promise<void> => {
  const containerTags = tag?.map((containerTag) => ({ containerTag, permission })) ?? null;
  const made = await client.call(inviteMember, { email, role, containerTags });
  print.answer(made, linkLines(made));
};

const HEAD = ['ID', 'STATUS', 'ROLE', 'EMAIL', 'UNTIL', 'INVITED BY'];

const printInvites = async ({ client, print }: CommandWork): Promise<void> => {
  const { alignedTable } = await import('../../output/layout.ts');
  const answer = await client.call(listInvites, {});
  const rows = answer.invitations.map(({ id, status, role, email, expiresAt, invitedBy }) => [
    ...[id, status, role, email, dayOrNever(expiresAt), withoutControls(invitedBy)],
  ]);
  print.answer(answer, rows.length === 0 ? ['Nobody was invited yet.'] : alignedTable([HEAD, ...rows]));
};

/** People know the address, not the id. */
const inviteNamed = async ({ client }: CommandWork, which: string): Promise<string> => {
  const { invitations } = await client.call(listInvites, {});
  const found = invitations.find(({ id, email }) => id === which || email === which.toLowerCase());
  if (found !== undefined) return found.id;
  throw new CommandFailure(`No invitation has the address or the id ${which}. See: memoir invites list`);
};

const sendAgain = async (work: CommandWork, which: string, showLink: boolean): Promise<void> => {
  const made = await work.client.call(resendInvite, { id: await inviteNamed(work, which), showLink });
  work.print.answer(made, linkLines(made));
};

const cancelNamed = async (work: CommandWork, which: string): Promise<void> => {
  const canceled = await work.client.call(cancelInvite, { id: await inviteNamed(work, which) });
  work.print.answer(canceled, [`The invitation of ${which} is canceled; its link is void.`]);
};

export const invitesCommand = (program: Command, host: Host): void => {
  const invites = program
    .command('invites')
    .summary('invite people, and list and cancel invitations')
    .description('Invites people to become members of this Memoir, and lists and cancels invitations.')
    .helpOption('-h, --help', 'show this help');
  withCommon(
    invites
      .command('create <email>')
      .summary('invite somebody')
      .description(
        'Invites a person by mail. Where no mail is set up, it shows a link, which you hand over yourself. The link works once.',
      )
      .addOption(new Option('--role <role>', 'the role').choices(['admin', 'member']).default('member'))
      .addOption(tagOption('limit the member to this container tag'))
      .addOption(
        new Option('--permission <permission>', 'the permission in those tags')
          .choices(['read', 'write'])
          .default('write'),
      ),
  ).action((email: string, options: CreateOptions) =>
    withClient(options, host, (work) => inviteByHand(work, email, options)),
  );
  withCommon(
    invites
      .command('list')
      .summary('list the invitations')
      .description(
        'Lists the invitations with role, address, end and status: pending, accepted, rejected, canceled or expired.',
      ),
  ).action((options: CommonOptions) => withClient(options, host, printInvites));
  withCommon(
    invites
      .command('resend <invitation>')
      .summary('make a new link, by address or id')
      .description('Makes a new link for an invitation and sends it by mail. The former link stops working.')
      .option('--link', 'show the link instead of sending it'),
  ).action((which: string, options: CommonOptions & { link?: true }) =>
    withClient(options, host, (work) => sendAgain(work, which, options.link === true)),
  );
  withCommon(
    invites
      .command('cancel <invitation>')
      .summary('cancel an invitation, by address or id')
      .description('Cancels an invitation: its link stops working.'),
  ).action((which: string, options: CommonOptions) =>
    withClient(options, host, (work) => cancelNamed(work, which)),
  );
  examples(invites, [
    'memoir invites create grace@example.org --tag office --permission read',
    'memoir invites list',
  ]);
};
