// Audio and video: the sound is cut out without being decoded, and a transcription service turns it into text.
import type { Extractor } from '../contract.ts';

export const mediaExtractor: Extractor = {
  documentation: {
    formats: 'MP3, M4A, WAV, OGG, Opus, FLAC, AAC; MP4, MOV, WebM, MKV',
    readAs: 'the sound, transcribed',
    places: '`startTime`, `endTime` in seconds',
  },
  kinds: {
    audio: {
      label: 'audio',
      mimeType: 'audio/mpeg',
      documentType: 'audio',
      pace: 'document',
      detect: {
        signature:
          /^audio\/(?:mpeg|mp4|x-m4[ab]|aac|ogg|opus|flac|x-flac|wav|vnd\.wave|x-wav|webm|matroska|x-matroska)|^application\/(?:ogg|mp4)/,
      },
    },
    video: {
      label: 'video',
      mimeType: 'video/mp4',
      documentType: 'video',
      pace: 'document',
      detect: { signature: /^video\/(?:mp4|quicktime|webm|matroska|x-matroska|x-m4v|3gpp2?|ogg)/ },
    },
  },
  read: async (content, sink) => (await import('../media/read-recording.ts')).readRecording(content, sink),
};
