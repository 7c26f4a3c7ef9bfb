// A member whom a command names by address or id: people know their address, not their id.
import type { z } from 'zod';
import { listMembers } from '../../../../tools/team/members.ts';
import type { CommandWork } from '../../command.ts';
import { CommandFailure } from '../../failure.ts';

type Member = z.output<typeof listMembers.output>['members'][number];

export const findMember = async ({ client }: CommandWork, who: string): Promise<Member | undefined> => {
  const { members } = await client.call(listMembers, {});
  return members.find(({ id, email }) => id === who || email === who.toLowerCase());
};

export const memberNamed = async (work: CommandWork, who: string): Promise<string> => {
  const found = await findMember(work, who);
  if (found !== undefined) return found.id;
  throw new CommandFailure(`No member has the address or the id ${who}. See: memoir members list`);
};
