import { fleet } from "#fleet-validator";

/** Whether parsed JSON is what a run about several targets prints. */
export function fitsFleetSchema(value: unknown): boolean {
  return fleet(value);
}
