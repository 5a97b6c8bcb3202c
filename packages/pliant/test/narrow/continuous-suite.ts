import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../src/mesh/input-error.ts';
import type { Contact } from '../../src/narrow/continuous-contact.ts';
import {
  areSameTimes,
  contactOf,
  coplanarStep,
  type Kind,
  knownBoundaryContact,
  latticeCases,
  perturbed,
  realStep,
  reorder,
  type Step,
  scaled,
  stepOf,
  uniformSteps,
  wildStep,
} from './continuous-cases.ts';
import { isTimeWithin, oracleContact } from './continuous-oracle.ts';

type ContactTest = (start: Float64Array, end: Float64Array) => Contact;

/** What vertex-face and edge-edge contact have to show alike. `orders`: the same features named otherwise. */
export function testContinuousContact(kind: Kind, contact: ContactTest, orders: readonly number[][]): void {
  const answer = ({ start, end }: Step) => contact(start, end);

  const agreesWithOracle = (test: ContactTest, bits: bigint) => (step: Step) => {
    const expected = oracleContact(kind, step.start, step.end, bits);
    const { touches, time } = test(step.start, step.end);
    expect(touches).toBe(expected.touches);
    if (touches) expect(isTimeWithin(expected, time)).toBe(true);
    else expect(time).toBe(Infinity);
  };

  test('agrees with the oracle on lattice cases', () => {
    fc.assert(fc.property(latticeCases(), agreesWithOracle(contact, 400n)), { numRuns: 2000 });
  });

  test('agrees with the oracle next to lattice cases', () => {
    const steps = perturbed(latticeCases(), 2 ** -20);
    fc.assert(fc.property(steps, agreesWithOracle(contact, 1400n)), { numRuns: 400 });
  });

  test('the oracle notices a contact that is lost, one that is invented and a time that is late', () => {
    const lies: ContactTest[] = [
      (start, end) => {
        const { touches, time } = contact(start, end);
        return touches && time > 0.9 ? { touches: false, time: Infinity } : { touches, time };
      },
      (start, end) => {
        const { touches, time } = contact(start, end);
        return touches || start[0] !== 3 ? { touches, time } : { touches: true, time: 1 };
      },
      (start, end) => {
        const { touches, time } = contact(start, end);
        return { touches, time: time + 2 ** -46 };
      },
    ];
    for (const lie of lies) {
      const check = fc.property(latticeCases(), agreesWithOracle(lie, 400n));
      expect(() => fc.assert(check, { numRuns: 3000 })).toThrow('Counterexample');
    }
  });

  test('a contact on a boundary is found at its time, and missed one step away', () => {
    fc.assert(
      fc.property(knownBoundaryContact(kind), (known) => {
        const { touches, time } = answer(stepOf(known, 0));
        expect(touches).toBe(true);
        expect(known.time - time).toBeGreaterThanOrEqual(0);
        expect(known.time - time).toBeLessThanOrEqual(2 ** -40);
        expect(answer(stepOf(known, 2 ** -41)).touches).toBe(false);
        expect(answer(stepOf({ ...known, time: -1 / 16 }, 0)).touches).toBe(false); // over before the start
        expect(answer(stepOf({ ...known, time: 1 + 2 ** -40 }, 0)).touches).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('floating point and exact arithmetic give one answer', () => {
    const cases: [fc.Arbitrary<Step>, number][] = [
      [latticeCases(), 2000],
      [perturbed(latticeCases(), 2 ** -44), 2000],
      [perturbed(latticeCases(), 2 ** -51), 2000],
      [realStep(1), 3000],
      [realStep(0.01), 2000],
      [perturbed(coplanarStep(), 2 ** -49), 2000],
      [wildStep(), 60],
    ];
    for (const [steps, numRuns] of cases) {
      const check = fc.property(steps, (step) => {
        const filtered = contactOf(kind, step);
        const exact = contactOf(kind, step, true);
        expect(filtered.touches).toBe(exact.touches);
        expect(areSameTimes(filtered.time, exact.time)).toBe(true);
      });
      fc.assert(check, { numRuns });
    }
  });

  test('floating point alone decides generic motion', () => {
    const contacts = Array.from(uniformSteps(5000, 0.5), (step) => contactOf(kind, step));
    expect(contacts.filter((c) => c.touches).length).toBeGreaterThan(50);
    expect(contacts.filter((c) => c.usedExact).length).toBe(0);
  });

  test('the order in which the corners are named does not matter', () => {
    fc.assert(
      fc.property(fc.oneof(latticeCases(), realStep(1)), fc.constantFrom(...orders), (step, order) => {
        const one = answer(step);
        const other = answer(reorder(step, order));
        expect(other.touches).toBe(one.touches);
        expect(areSameTimes(other.time, one.time)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('the reversed step touches when the step does', () => {
    fc.assert(
      fc.property(fc.oneof(latticeCases(), realStep(1)), ({ start, end }) => {
        expect(contact(end, start).touches).toBe(contact(start, end).touches);
      }),
      { numRuns: 2000 },
    );
  });

  test('each axis may have its own power of two, up to the ends of the range', () => {
    const power = fc.constantFrom(-1074, -1000, -300, -20, 0, 7, 250, 301, 1000, 1018).map((e) => 2 ** e);
    fc.assert(
      fc.property(latticeCases(), fc.tuple(power, power, power), (step, scale) => {
        const one = answer(step);
        const other = answer(scaled(step, scale));
        expect(other.touches).toBe(one.touches);
        expect(areSameTimes(other.time, one.time)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('refuses arrays that are not four finite points', () => {
    const good = new Float64Array(12);
    const codeOf = (start: unknown, end: unknown) => {
      try {
        contact(start as Float64Array, end as Float64Array);
      } catch (error) {
        return error instanceof InputError ? error.code : error;
      }
      return 'accepted';
    };
    expect(codeOf(good, good)).toBe('accepted');
    expect(codeOf(new Float64Array(11), good)).toBe('wrong-length');
    expect(codeOf(good, new Float64Array(13))).toBe('wrong-length');
    expect(codeOf([0], good)).toBe('wrong-type');
    expect(codeOf(good, undefined)).toBe('wrong-type');
    expect(codeOf(good.with(3, NaN), good)).toBe('not-finite');
    expect(codeOf(good, good.with(11, -Infinity))).toBe('not-finite');
  });
}
