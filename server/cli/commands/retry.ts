// memoir retry: processes documents again that failed or wait after a failure.
import type { Command } from 'commander';
import { retryDocument } from '../../../tools/documents/retry.ts';
import { retryDocuments } from '../../../tools/documents/retry-bulk.ts';
import { MemoirError } from '../../core/errors.ts';
import { plural } from '../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../command.ts';
import { CommandFailure, misused } from '../failure.ts';
import type { Host } from '../host.ts';
import { type CommonOptions, examples, tagOption, withCommon } from '../options.ts';

interface RetryOptions extends CommonOptions {
  tag?: string[];
}

const isNotFound = (error: unknown): error is Error =>
  error instanceof CommandFailure
    ? error.facts.status === 404
    : error instanceof MemoirError && error.status === 404;

const retryEach = async ({ client, print }: CommandWork, ids: readonly string[]): Promise<void> => {
  const documents = [];
  const failed = [];
  for (const id of ids) {
    try {
      documents.push(await client.call(retryDocument, { id }));
    } catch (error) {
      // An id that is not found stops no other one; every other failure would meet them too.
      if (!isNotFound(error)) throw error;
      failed.push({ id, error: error.message });
    }
  }
  const lines = documents.map(
    ({ id, status }) => `${id}: ${status === 'done' ? 'done, nothing to retry' : status}`,
  );
  if (failed.length === 0) return print.answer({ documents }, lines);
  throw new CommandFailure([...lines, ...failed.map(({ error }) => error)].join('\n'), {
    facts: { documents, failed },
  });
};

const retryMatching = async ({ client, print }: CommandWork, tags?: readonly string[]): Promise<void> => {
  const answer = await client.call(retryDocuments, tags === undefined ? {} : { containerTags: [...tags] });
  print.answer(answer, [
    answer.retried === 0
      ? `Nothing to retry: no document${tags === undefined ? '' : ` under ${tags.join(', ')}`} failed or waits after a failure.`
      : `${plural(answer.retried, 'document')} ${answer.retried === 1 ? 'is' : 'are'} processed again.`,
  ]);
};

export const retryCommand = (program: Command, host: Host): void => {
  const command = program
    .command('retry [id...]')
    .summary('process failed documents again')
    .description(
      'Processes the named documents again, or all that failed or wait after a failure. Use it when the cause is mended: a key, a model, a service.',
    )
    .addOption(tagOption('only documents with this container tag'));
  examples(withCommon(command), [
    'memoir retry',
    'memoir retry --tag user_ada',
    'memoir retry 1BQ8vWzUqTfGZ4kS9xNc7d',
  ]).action((ids: string[], options: RetryOptions) => {
    if (ids.length > 0 && options.tag !== undefined)
      throw misused('Name documents or container tags, not both.');
    return withClient(options, host, (work) =>
      ids.length > 0 ? retryEach(work, ids) : retryMatching(work, options.tag),
    );
  });
};
