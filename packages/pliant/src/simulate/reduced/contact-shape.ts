import type { ReducedModel } from './reduced-model.ts';
import { RestDistance } from './rest-distance.ts';

/** What contacts need of a model; bodies of one model share it. */
export class ContactShape {
  readonly model: ReducedModel;
  readonly distance: RestDistance;

  constructor(model: ReducedModel) {
    this.model = model;
    this.distance = new RestDistance(model.surface);
  }
}
