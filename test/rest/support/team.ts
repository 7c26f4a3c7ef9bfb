// Short ways to make members over REST, each with a personal key.
import type { Rest } from './use-memoir.ts';

export interface MadeMember {
  id: string;
  email: string;
  /** A personal key with all rights of the member. */
  key: string;
}

export const addMember = async (api: Pick<Rest, 'ask'>, request: object): Promise<MadeMember> => {
  const { status, body } = await api.ask<MadeMember>('POST', '/v3/auth/team/members', request);
  if (status !== 200) throw new Error(`A member was refused: ${JSON.stringify(body)}`);
  return body;
};

/** The token in the link of an invitation. */
export const tokenOf = (link: string | undefined): string =>
  new URL(link ?? 'http://nowhere').searchParams.get('token') ?? '';
