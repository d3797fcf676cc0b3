export {
  DRIVING_AREAS,
  type DrivingArea,
  EXCELLENT_FROM,
  FAIR_FROM,
  GOOD_FROM,
  SCORE_VERSION,
  WEIGHTS,
} from './figures.ts';
export { scoreDriving, tripFocusArea } from './score-driving.ts';
