// What the sets of single texts share.

/** "Mina: …" is a turn of a group chat, any other text one of the user. */
export const turnOf = (text: string): [string, string] => {
  const { name, said } = /^(?<name>\p{Lu}\p{L}+): (?<said>.*)$/su.exec(text)?.groups ?? {};
  return name && said ? [name, said] : ['user', text];
};

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
