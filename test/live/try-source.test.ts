// The trial of a source with a real account, tried itself over the fakes.
import { expect, test } from 'vitest';
import { blocksOf, startFakeNotion } from '../fakes/notion.ts';
import { startFakeBucket } from '../fakes/s3.ts';
import { trySource } from './try-source.ts';

test('a trial of a bucket looks, reads one object, looks again and prints neither names nor secrets', async () => {
  const fake = await startFakeBucket();
  await fake.put('letters/anna.txt', 'Dear Anna');
  await fake.put('letters/long.txt', 'A much longer letter');
  const { metadata, secrets } = fake.grant;
  const told: string[] = [];
  const trial = { provider: 's3', options: { ...metadata, ...secrets }, choose: null, mostPages: 20 };
  await trySource(trial, (line) => told.push(line), fake);
  await fake.close();
  expect(told).toEqual([
    'signed in',
    expect.stringMatching(/^first look: 2 files \(0 not read\), 0 folders, 0 gone on 1 pages, \d requests$/),
    expect.stringMatching(/^read: a file of 9 bytes/),
    expect.stringMatching(/^second look: 2 files \(0 not read\), 0 folders, 0 gone, \d requests, whole$/),
  ]);
  for (const secret of Object.values(secrets)) expect(told.join('\n')).not.toContain(secret);
});

test('wrong options and a refused key end a trial with the sentence of the source', async () => {
  const fake = await startFakeBucket();
  const { metadata, secrets } = fake.grant;
  const trial = { provider: 's3', options: { ...metadata }, choose: null, mostPages: 20 };
  await expect(trySource(trial, () => undefined, fake)).rejects.toThrow('metadata.accessKeyId');
  const wrong = { ...trial, options: { ...metadata, ...secrets, secretAccessKey: 'another' } };
  await expect(trySource(wrong, () => undefined, fake)).rejects.toThrow(/key|signature/i);
  await expect(trySource({ ...trial, provider: 'ftp' }, () => undefined)).rejects.toThrow(
    'There is no source ftp.',
  );
  await fake.close();
});

test('a trial with a token reads a page as text', async () => {
  const fake = await startFakeNotion();
  fake.addPage('Bees', blocksOf('The hive stands by the mill.'));
  const told: string[] = [];
  const trial = { provider: 'notion', options: { token: fake.token }, choose: null, mostPages: 20 };
  await trySource(trial, (line) => told.push(line), {
    standIns: { 'https://api.notion.com': fake.server.origin },
  });
  await fake.close();
  expect(told).toContainEqual(expect.stringMatching(/^first look: 1 files/));
  expect(told).toContainEqual(expect.stringMatching(/^read: \d+ characters as text\/markdown$/));
  expect(told.join('\n')).not.toContain('Bees');
});
