import { type Body, checkBody } from '../../body/body.ts';
import type { ProgressOptions } from '../../long-work/in-slices.ts';
import { checkNumbers, checkObject, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkEffort } from '../check-effort.ts';
import type { GaugeKind } from './gauge.ts';
import { type Metric, MetricScaling } from './mode-shapes.ts';
import type { PartOptions } from './part-store.ts';

export interface SubspaceCertificateOptions extends ProgressOptions, PartOptions {
  /**
   * `ball`: any weights. `one-sided`: morph weights, never negative. `box`: never negative, and measured against
   * `limits`. The narrower the question, the further the proof reaches. Default: ball.
   */
  gauge?: GaugeKind;
  /**
   * M: positive weights of the modes, or a symmetric positive definite matrix (ball only). One that knows how the body
   * moves lets proofs reach several times as far: see `scaleByEnergy` and `scaleByPoses`. Default: the unit matrix.
   */
  metric?: Metric;
  /**
   * True: `metric` says how far poses go, and they are measured as `fitMetric` finds best (ball only). Takes some seconds,
   * and is worth it where poses go in few directions, as those of an animator do. Default: false.
   */
  fit?: boolean;
  /**
   * How far poses go, when `metric` is not about that but from `fitMetric`: where radii no longer help, planes between
   * parts are looked at, and these are the closer the better this is known (ball only). Default: as `metric`.
   */
  planeMetric?: Metric;
  /** Of the box: the largest weight of each mode. Default: 1. */
  limits?: ArrayLike<number>;
  /** Poses around which proofs are prepared; each costs as much as the first. Default: the rest pose. */
  centres?: readonly ArrayLike<number>[];
  /**
   * Gauges beyond this are of no interest: the smaller, the faster it is prepared. Default: 1 for the box, else as many
   * times the radius of the whole body as is quickly done, up to 16.
   */
  reach?: number;
  /**
   * How much work that may be, without `reach`: so many pairs of small nodes per triangle are looked at. More of it reaches
   * further and takes longer in proportion. Default: 8.
   */
  effort?: number;
  /**
   * The most work of each stage of preparing a centre: so many pairs of nodes are looked at and cells solved, per triangle,
   * and up to 8 times as many in parts of a large body. What is not done by then keeps the bounds that are known, which may
   * be none: see `givenUp` of the balls. Default: 32,768; bodies with smooth modes need 2,000 to 9,000.
   */
  budget?: number;
  /** Part of the squared radius that may be given away. Default: 0.09, which keeps 95 % of the radius. */
  tolerance?: number;
  /** Pairs that touch in a centre are left out of the proofs, and always tested. Default: false. */
  ignoreRestContacts?: boolean;
}

/** A little more than all weights that are allowed. */
const BOX_REACH = 1.001;

/** Work per triangle, of each stage. */
const BUDGET = 32_768;

/** Options that have been checked. */
export interface Settings {
  readonly kind: GaugeKind;
  readonly reach: number | undefined;
  readonly effort: number;
  readonly tolerance: number;
  readonly budget: number;
  readonly scaling: MetricScaling;
  readonly planeScaling: MetricScaling; // the same unless asked for
  readonly centres: readonly Float64Array[];
}

export function readSettings(body: Body, options: SubspaceCertificateOptions): Settings {
  checkBody('the body', body);
  checkObject('options', options);
  const { handles } = body.deformer;
  if (handles?.kind !== 'modes' || handles.modeCount === 0) {
    throw new InputError(
      'unsupported',
      'subspace certificates are for bodies moved by modes alone; use prepareBlendCertificate with a skin',
    );
  }
  const { gauge: kind = 'ball', tolerance = 0.09, effort = 8, budget = BUDGET } = options;
  checkEffort('budget', budget);
  const { reach = kind === 'box' ? BOX_REACH : undefined } = options;
  if (!['ball', 'one-sided', 'box'].includes(kind)) {
    throw new InputError('bad-option', `gauge must be ball, one-sided or box, not ${describe(kind)}`);
  }
  if (reach !== undefined && !(reach > 0))
    throw new InputError('bad-option', `reach must be more than 0, not ${describe(reach)}`);
  if (!(effort > 0)) {
    throw new InputError('bad-option', `effort must be more than 0, not ${describe(effort)}`);
  }
  if (!(tolerance > 0 && tolerance < 1)) {
    throw new InputError('bad-option', `tolerance must be between 0 and 1, not ${describe(tolerance)}`);
  }
  const { modeCount } = handles;
  const scaling = new MetricScaling(
    modeCount,
    kind === 'box' ? weightsOfLimits(modeCount, options) : options.metric,
  );
  if (kind !== 'ball' && !scaling.isDiagonal) {
    throw new InputError('bad-option', 'metric must be weights of the modes when their sign matters');
  }
  if (kind !== 'ball' && (options.planeMetric !== undefined || options.fit)) {
    throw new InputError(
      'bad-option',
      `${options.fit ? 'fit' : 'planeMetric'} is for balls, not for ${kind}`,
    );
  }
  const planeScaling =
    options.planeMetric === undefined
      ? scaling
      : new MetricScaling(modeCount, options.planeMetric, 'planeMetric');
  const centres = readCentres(modeCount, kind, options.centres);
  return { kind, reach, effort, tolerance, budget, scaling, planeScaling, centres };
}

/** 1 / b², so that scaled weights are q / b. */
function weightsOfLimits(
  modeCount: number,
  { metric, limits }: SubspaceCertificateOptions,
): Metric | undefined {
  if (metric !== undefined) throw new InputError('bad-option', 'the box has limits instead of a metric');
  if (limits === undefined) return undefined;
  if (limits.length !== modeCount) {
    throw new InputError('bad-option', `limits must be ${modeCount} numbers, not ${limits.length}`);
  }
  return Array.from(limits, (limit, m) => {
    if (limit > 0 && limit < Infinity) return 1 / (limit * limit);
    throw new InputError('bad-option', `limits[${m}] must be a positive number, not ${describe(limit)}`);
  });
}

function readCentres(
  modeCount: number,
  kind: GaugeKind,
  centres: readonly ArrayLike<number>[] | undefined,
): Float64Array[] {
  if (centres === undefined) return [new Float64Array(modeCount)];
  if (!Array.isArray(centres) || centres.length === 0) {
    throw new InputError('bad-option', 'centres must be a list of at least one pose');
  }
  return centres.map((centre, k) => {
    checkNumbers(`centres[${k}]`, centre, modeCount);
    const values = Float64Array.from(centre as ArrayLike<number>);
    // Away from 0 the weights that count are q − q_k, which may be negative: the proof would not cover them.
    if (kind === 'ball' || values.every((q) => q === 0)) return values;
    throw new InputError(
      'bad-option',
      `centres[${k}]: one-sided and box proofs are about the rest pose only`,
    );
  });
}
