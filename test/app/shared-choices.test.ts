import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSharedChoices } from '../../server/app/shared-choices.ts';
import { noSignals } from '../../server/core/processes/signals.ts';
import { modelInUse, useModel } from '../../server/lib/models/model-folder.ts';

test('a look that began before a choice was shared does not take the choice back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-choices-'));
  const answers = Promise.withResolvers<void>();
  let kept: string | null = null;
  let isSlow = false;
  const choices = openSharedChoices({
    folder,
    store: {
      async read() {
        const read = kept;
        if (isSlow) await answers.promise;
        return read;
      },
      async keep(given) {
        kept = given;
      },
    },
    signals: noSignals,
    reloadLanguageModel: async () => undefined,
    log: { warn: (error) => expect.fail(String(error)) },
  });
  useModel(folder, 'chat', 'ollama:former');
  await choices.share();
  isSlow = true;
  const look = choices.look();
  useModel(folder, 'chat', 'ollama:later');
  const share = choices.share();
  answers.resolve();
  await Promise.all([look, share]);
  expect(modelInUse(folder, 'chat')).toBe('ollama:later');
  expect(kept).toContain('ollama:later');
  rmSync(folder, { recursive: true });
});
