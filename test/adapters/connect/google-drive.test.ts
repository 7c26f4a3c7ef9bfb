// Tests of Google Drive as a source, over our own service, which Google's client drives in test/fakes/.
import { googleDrive } from '../../../server/adapters/connect/google-drive.ts';
import { startDriveSource } from '../../fakes/google/drive-source.ts';
import { sourceContract } from './contract.ts';

sourceContract(googleDrive, () => startDriveSource());
