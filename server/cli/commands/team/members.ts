// memoir members: lists, adds and removes members, and changes their roles.
import { type Command, Option } from 'commander';
import { addMember } from '../../../../tools/team/add-member.ts';
import { listMembers } from '../../../../tools/team/members.ts';
import { removeMember } from '../../../../tools/team/remove-member.ts';
import { setMemberRole } from '../../../../tools/team/set-role.ts';
import { plural } from '../../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../../command.ts';
import { CommandFailure } from '../../failure.ts';
import type { Host } from '../../host.ts';
import { type CommonOptions, examples, withCommon } from '../../options.ts';
import { dayOrNever, withoutControls } from '../../output/text.ts';
import { findMember, memberNamed } from './named-member.ts';

const ROLES = ['owner', 'admin', 'member'];
const HEAD = ['ID', 'ROLE', 'EMAIL', 'IN', 'LAST SEEN', 'NAME'];

const printMembers = async ({ client, print }: CommandWork): Promise<void> => {
  const { alignedTable } = await import('../../output/layout.ts');
  const answer = await client.call(listMembers, {});
  if (answer.members.length === 0)
    return print.answer(answer, [
      'There are no members yet. Add the first owner: memoir members add you@example.org --role owner',
    ]);
  const rows = answer.members.map(({ id, role, email, emailVerified, containerTags, lastSeenAt, name }) => [
    ...[id, role, emailVerified ? email : `${email} (not verified)`],
    containerTags?.map((tag) => `${withoutControls(tag.containerTag)}:${tag.permission}`).join(', ') ??
      'everything',
    ...[dayOrNever(lastSeenAt), withoutControls(name)],
  ]);
  print.answer(answer, alignedTable([HEAD, ...rows]));
};

interface AddOptions extends CommonOptions {
  /** Missing: a member keeps the role. */
  role?: 'owner' | 'admin' | 'member';
  name?: string;
}

/** Null: no server listens. */
const signInAddress = (url: string | null): string =>
  url === null
    ? '/console/ of the server, once it runs (memoir serve)'
    : `${url.replace(/\/$/, '')}/console/`;

const addByHand = async (
  work: CommandWork,
  email: string,
  { role: wanted, name }: AddOptions,
): Promise<void> => {
  const { client, print } = work;
  const former = await findMember(work, email);
  const role = wanted ?? former?.role ?? 'member';
  const added = await client.call(addMember, { email, role, ...(name === undefined ? {} : { name }) });
  const when = former?.role === role ? 'already, and gets a further key' : 'now';
  print.answer(added, [
    `${added.email} is ${role === 'member' ? 'a member' : `an ${role}`} ${when}.`,
    `This key signs them in at ${signInAddress(client.url)}. It is shown only this once:`,
    added.key,
  ]);
};

const removeNamed = async (work: CommandWork, who: string): Promise<void> => {
  const removed = await work.client.call(removeMember, { id: await memberNamed(work, who) });
  const { sessions, keys, grants } = removed.ended;
  work.print.answer(removed, [
    `Removed ${who}. ${plural(sessions, 'session')}, ${plural(keys, 'personal key')} and ${plural(grants, 'program')} ended; keys of the organisation stay.`,
  ]);
};

const giveRole = async (work: CommandWork, who: string, wanted: string): Promise<void> => {
  const changed = await work.client.call(setMemberRole, {
    id: await memberNamed(work, who),
    role: wanted as 'owner',
  });
  const { members } = await work.client.call(listMembers, {});
  const tags = members.find(({ id }) => id === changed.id)?.containerTags ?? null;
  const reach =
    wanted === 'member' && tags === null ? ' They may use every container tag: no limit is set.' : '';
  work.print.answer(changed, [`${who} is ${wanted === 'member' ? 'a member' : `an ${wanted}`} now.${reach}`]);
};

export const membersCommand = (program: Command, host: Host): void => {
  const members = program
    .command('members')
    .summary('list, add and remove members')
    .description('Lists, adds and removes the members of this Memoir, and changes their roles.')
    .helpOption('-h, --help', 'show this help');
  const roleOption = () =>
    new Option('--role <role>', 'the role (default: member, or the present role of a member)').choices(ROLES);

  withCommon(
    members
      .command('list')
      .summary('list the members')
      .description('Lists the members with role, address, container tags and the time of their last call.'),
  ).action((options: CommonOptions) => withClient(options, host, printMembers));
  withCommon(
    members
      .command('add <email>')
      .summary('add a member, and show a key to sign in')
      .description(
        'Makes somebody a member without an invitation, and shows a personal key once. Somebody who is a member already gets a further key. On the machine of the server it needs no key: an owner who lost every key gets back in.',
      )
      .addOption(roleOption())
      .option('--name <name>', 'the name of the member'),
  ).action((email: string, options: AddOptions) =>
    withClient(options, host, (work) => addByHand(work, email, options)),
  );
  withCommon(
    members
      .command('remove <member>')
      .summary('remove a member by address or id')
      .description(
        'Removes a member and ends the sessions, personal keys and programs of this person. Keys of the organisation stay.',
      ),
  ).action((who: string, options: CommonOptions) =>
    withClient(options, host, (work) => removeNamed(work, who)),
  );
  withCommon(
    members
      .command('role <member> <role>')
      .summary('change a role: owner, admin or member')
      .description('Gives a member, named by address or id, another role: owner, admin or member.'),
  ).action((who: string, wanted: string, options: CommonOptions) => {
    if (!ROLES.includes(wanted))
      throw new CommandFailure(`The role is one of ${ROLES.join(', ')}.`, { exitCode: 2 });
    return withClient(options, host, (work) => giveRole(work, who, wanted));
  });
  examples(members, ['memoir members add you@example.org --role owner', 'memoir members list']);
};
