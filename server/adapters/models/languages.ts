// The languages of OCR beside English, which is brought along: files of tessdata_fast 4.1.0 of the Tesseract project.

/** Null: the file was in nobody's hand, so its hash is recorded at the first download. */
const LANGUAGES = [
  {
    code: 'deu',
    language: 'German',
    megabytes: 1.5,
    sha256: '19d219bbb6672c869d20a9636c6816a81eb9a71796cb93ebe0cb1530e2cdb22d',
  },
  {
    code: 'fra',
    language: 'French',
    megabytes: 1.1,
    sha256: 'ced037562e8c80c13122dece28dd477d399af80911a28791a66a63ac1e3445ca',
  },
  {
    code: 'spa',
    language: 'Spanish',
    megabytes: 2.3,
    sha256: '6f2e04d02774a18f01bed44b1111f2cd7f3ba7ac9dc4373cd3f898a40ea6b464',
  },
  {
    code: 'ita',
    language: 'Italian',
    megabytes: 2.7,
    sha256: 'b8f89e1e785118dac4d51ae042c029a64edb5c3ee42ef73027a6d412748d8827',
  },
  {
    code: 'por',
    language: 'Portuguese',
    megabytes: 2.0,
    sha256: 'c4932b937207a9514b7514d518b931a99938c02a28a5a5a553f8599ed58b7deb',
  },
  { code: 'nld', language: 'Dutch', megabytes: 6.0, sha256: null },
  { code: 'pol', language: 'Polish', megabytes: 4.8, sha256: null },
  {
    code: 'rus',
    language: 'Russian',
    megabytes: 3.9,
    sha256: 'e16e5e036cce1d9ec2b00063cf8b54472625b9e14d893a169e2b0dedeb4df225',
  },
  {
    code: 'chi_sim',
    language: 'Chinese, simplified',
    megabytes: 2.5,
    sha256: 'a5fcb6f0db1e1d6d8522f39db4e848f05984669172e584e8d76b6b3141e1f730',
  },
  {
    code: 'jpn',
    language: 'Japanese',
    megabytes: 2.5,
    sha256: '1f5de9236d2e85f5fdf4b3c500f2d4926f8d9449f28f5394472d9e8d83b91b4d',
  },
] as const;

export const languageRows = LANGUAGES.map(({ code, language, megabytes, sha256 }) => {
  const file = `${code}.traineddata`;
  return {
    name: `ocr:${code}`,
    for: 'ocr' as const,
    hub: 'tesseract-ocr/tessdata_fast',
    revision: '4.1.0',
    files: { weights: file },
    sha256: sha256 === null ? {} : { [file]: sha256 },
    languages: language,
    licence: 'Apache-2.0',
    megabytes,
    use: `Reads scans and pictures in ${language}.`,
  };
});
