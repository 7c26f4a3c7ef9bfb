// Finds secrets in bytes, as they are and in the forms in which programs write them by accident.

/** The bytes around a secret change its base64 at both ends, so the middle is looked for at each of three offsets. */
const base64Forms = (secret: string): string[] =>
  [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.from(`${'x'.repeat(shift)}${secret}`)
      .toString('base64')
      .replace(/=+$/, '');
    const middle = whole.slice(4, -4);
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });

const formsOf = (secret: string): Set<string> => {
  const hex = Buffer.from(secret).toString('hex');
  return new Set([
    ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), hex, hex.toUpperCase()],
    ...base64Forms(secret),
  ]);
};

/** A text that holds many secrets is searched once for each form. */
export const secretsIn = (text: string | Buffer, secrets: Readonly<Record<string, string>>): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    [...formsOf(secret)].some((form) => text.includes(form)) ? [name] : [],
  );
