import { describe, expect, test } from 'vitest';
import { type CullingSubject, type CullingUse, chooseCertificate } from '../../../src/cull/index.ts';
import { createEngine, InputError } from '../../../src/index.ts';
import { createMovedBody, rolledMesh } from './auto-cases.ts';

type Movement = CullingSubject['movedBy'];

const subject = (movedBy: Movement, triangles = 50_000): CullingSubject => ({ movedBy, triangles });

describe('chooseCertificate', () => {
  test.each<[Movement, number, CullingUse, string]>([
    ['matrix', 1e6, {}, 'none'],
    ['modes', 50_000, {}, 'subspace'],
    ['modes', 50_000, { queries: 20_000 }, 'subspace'],
    ['modes', 50_000, { queries: 19_999 }, 'none'],
    ['modes', 3_999, {}, 'none'],
    ['handles', 20_000, {}, 'blend'],
    ['handles', 50_000, {}, 'reduced-energy'],
    ['handles', 50_000, { continuous: true }, 'blend'],
    ['handles', 50_000, { queries: 199_999 }, 'blend'],
    ['handles', 50_000, { queries: 19_999 }, 'none'],
    ['handles', 50_000, { queries: 15_000, continuous: true }, 'blend'],
    ['handles', 500, {}, 'none'],
    ['cage', 50_000, {}, 'reduced-energy'],
    ['cage', 29_999, {}, 'none'],
    ['cage', 50_000, { queries: 199_999 }, 'none'],
    ['cage', 50_000, { continuous: true }, 'none'],
    ['vertices', 50_000, {}, 'energy'],
    ['vertices', 50_000, { queries: 40_000, continuous: true }, 'energy'],
    ['vertices', 50_000, { queries: 99_999 }, 'none'],
    ['vertices', 9_999, {}, 'none'],
  ])('moved by %s, %i triangles, %j: %s', (movedBy, triangles, use, kind) => {
    const choice = chooseCertificate({ movedBy, triangles }, use);
    expect(choice.kind).toBe(kind);
    expect(choice.reason.length).toBeGreaterThan(10);
  });

  test('says why', () => {
    const reason = (movedBy: Movement, triangles: number, use?: CullingUse) =>
      chooseCertificate({ movedBy, triangles }, use).reason;
    expect(reason('matrix', 10)).toBe('it keeps its shape');
    expect(reason('handles', 1_052)).toBe(
      '1,052 triangles are searched as quickly as proofs are tried: blend pays from 4,000 on',
    );
    expect(reason('vertices', 25_472, { queries: 51 })).toBe(
      'preparing energy takes longer than it saves in fewer than 100,000 poses',
    );
    expect(reason('modes', 25_472, { queries: 51, continuous: true })).toBe(
      'preparing subspace takes longer than it saves in fewer than 10,000 motions',
    );
    expect(reason('modes', 1e5)).toMatch(/modes alone/);
    expect(reason('handles', 1e4)).toMatch(/handles/);
    expect(reason('vertices', 1e5)).toMatch(/nothing is known of its motion but the vertices/);
    expect(reason('vertices', 4, { kind: 'energy' })).toBe('asked for');
    expect(reason('matrix', 4, { kind: 'none' })).toBe('asked for');
  });

  test('takes bodies of all kinds', async () => {
    const engine = await createEngine();
    const mesh = rolledMesh(6, 4);
    const kinds = (['matrix', 'modes', 'handles', 'cage', 'vertices'] as const).map((movement) => {
      const { body } = createMovedBody(engine, mesh, movement);
      const names = ['subspace', 'blend', 'reduced-energy', 'energy'] as const;
      return names.filter((kind) => codeOf(() => chooseCertificate(body, { kind })) === undefined);
    });
    expect(kinds).toEqual([
      [],
      ['subspace', 'blend', 'reduced-energy', 'energy'],
      ['blend', 'reduced-energy', 'energy'],
      ['blend', 'reduced-energy', 'energy'],
      ['energy'],
    ]);
    const body = createMovedBody(engine, mesh, 'vertices').body;
    expect(chooseCertificate(body).reason).toMatch(/^48 triangles/);
  });

  test('refuses what makes no sense', () => {
    const use = (options: unknown) =>
      codeOf(() => chooseCertificate(subject('modes'), options as CullingUse));
    expect(use({ kind: 'magic' })).toBe('bad-option');
    expect(use({ queries: -1 })).toBe('bad-option');
    expect(use({ queries: Number.NaN })).toBe('bad-option');
    expect(use({ continuous: 1 })).toBe('bad-option');
    expect(use(null)).toBe('wrong-type');
    for (const wrong of [null, {}, { triangles: 3 }, { triangles: '3', movedBy: 'modes' }]) {
      expect(codeOf(() => chooseCertificate(wrong as unknown as CullingSubject))).toBe('wrong-type');
    }
    expect(codeOf(() => chooseCertificate(subject('vertices'), { kind: 'subspace' }))).toBe('unsupported');
    expect(() => chooseCertificate(subject('modes'), { kind: 'magic' as 'none' })).toThrow(
      'kind must be one of auto, none, subspace, blend, reduced-energy, energy, not magic',
    );
  });
});

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error instanceof InputError ? error.code : error;
  }
  return undefined;
}
