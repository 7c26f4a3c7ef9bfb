// Embedding spaces in the store, and how their cosines are read.
import type { SpaceName } from '../../../core/space.ts';

/** relevance = 1 / (1 + e^-(slope × (cosine − middle))). */
export interface Curve {
  slope: number;
  middle: number;
}

export interface MeaningCurve extends Curve {
  /** The middle where nothing but meaning speaks for a passage; undefined: the same. */
  aloneMiddle?: number;
}

/** Maps the cosines of a space to relevance: fitted once, kept with the space. */
export interface Calibration extends MeaningCurve {
  /** For passages that were embedded with their neighbours. */
  inContext?: MeaningCurve;
  /** The weight of meaning against words. */
  weight?: number;
  /** The same for turns of conversations and for memories; undefined: the same as for other passages. */
  statedWeight?: number;
}

export interface SpaceRecord extends SpaceName {
  id: number;
  state: 'active' | 'filling' | 'retired';
  calibration: Calibration | null;
}

export interface SpaceStore {
  list(): Promise<SpaceRecord[]>;
  create(space: Omit<SpaceRecord, 'id'>): Promise<SpaceRecord>;
  calibrate(id: number, calibration: Calibration): Promise<void>;
  /** Retires a space that is being filled; any other stays as it is. */
  abandon(id: number): Promise<void>;
  progress(id: number): Promise<{ done: number; total: number }>;
}

export interface FillSpace {
  id: number;
  dimensions: number;
  keepExact: boolean;
}
