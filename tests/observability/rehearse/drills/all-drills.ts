import type { Drill } from '../drill.ts';
import { dataDrills } from './data.ts';
import { engineDrills } from './engines.ts';
import { serviceDrills } from './services.ts';

export const ALL_DRILLS: readonly Drill[] = [...engineDrills, ...serviceDrills, ...dataDrills];
