import {
  Body,
  findAllCollisions,
  findAnyCollision,
  findCollisions,
  findSelfCollisions,
  type InputErrorCode,
} from '../../src/index.ts';
import { type Any, IDENTITY, mesh, POSE, type World, withAt } from './bad-input-world.ts';

/** What is wrong, the call, and how it is refused. */
export type Row = [string, (world: World) => unknown, InputErrorCode, RegExp];

export const POSES: Row[] = [
  [
    'a pose that is too short',
    ({ free }) => free.setPose([1, 2, 3]),
    'wrong-length',
    /pose has 3 numbers, expected 27/,
  ],
  [
    'a pose that is too long',
    ({ free }) => free.setPose(new Float64Array(30)),
    'wrong-length',
    /pose has 30/,
  ],
  ['an empty pose', ({ free }) => free.setPose([]), 'wrong-length', /pose has 0/],
  ['NaN', ({ free }) => free.setPose(withAt(POSE, 7, NaN)), 'not-finite', /pose\[7\] \(vertex 2, y\) is NaN/],
  [
    'NaN in a typed array',
    ({ free }) => free.setPose(Float64Array.from(withAt(POSE, 26, NaN))),
    'not-finite',
    /pose\[26\]/,
  ],
  [
    'Infinity',
    ({ free }) => free.setPose(withAt(POSE, 0, -Infinity)),
    'not-finite',
    /pose\[0\] \(vertex 0, x\) is -Infinity/,
  ],
  [
    'a huge number',
    ({ free }) => free.setPose(withAt(POSE, 5, 2 ** 301)),
    'out-of-range',
    /pose\[5\].*2\^300/,
  ],
  ['a string in a pose', ({ free }) => free.setPose(withAt(POSE, 3, '1')), 'wrong-type', /pose\[3\]/],
  ['a hole in a pose', ({ free }) => free.setPose(withAt(POSE, 3, undefined)), 'wrong-type', /pose\[3\]/],
  ['a BigInt in a pose', ({ free }) => free.setPose(withAt(POSE, 3, 3n)), 'wrong-type', /pose\[3\]/],
  [
    'BigInts',
    ({ free }) => free.setPose(new BigInt64Array(27) as Any),
    'wrong-type',
    /pose must be an array of numbers/,
  ],
  ['a DataView', ({ free }) => free.setPose(new DataView(new ArrayBuffer(216)) as Any), 'wrong-type', /pose/],
  [
    'a string',
    ({ free }) => free.setPose('pose' as Any),
    'wrong-type',
    /pose must be an array of numbers, not a string/,
  ],
  ['nothing', ({ free }) => free.setPose(undefined as Any), 'wrong-type', /pose.*undefined/],
  ['null', ({ free }) => free.setPose(null as Any), 'wrong-type', /pose.*null/],
  ['a wrong start', ({ free }) => free.setMotion([], POSE), 'wrong-length', /start has 0/],
  [
    'a wrong end',
    ({ free }) => free.setMotion(POSE, withAt(POSE, 1, NaN)),
    'not-finite',
    /end\[1\] \(vertex 0, y\)/,
  ],
  [
    'a matrix of 16',
    ({ rigid }) => rigid.setPose(new Float64Array(16)),
    'wrong-length',
    /matrix has 16 numbers, expected 12/,
  ],
  [
    'a matrix with NaN',
    ({ rigid }) => rigid.setPose(withAt(IDENTITY, 11, NaN)),
    'not-finite',
    /matrix\[11\] is NaN/,
  ],
  ['a huge matrix', ({ rigid }) => rigid.setPose(withAt(IDENTITY, 2, -1e100)), 'out-of-range', /matrix\[2\]/],
  ['a matrix that is none', ({ rigid }) => rigid.setPose({ length: 12 } as Any), 'wrong-type', /matrix/],
  ['a wrong start matrix', ({ rigid }) => rigid.setMotion([1], IDENTITY), 'wrong-length', /start has 1/],
  [
    'a wrong end matrix',
    ({ rigid }) => rigid.setMotion(IDENTITY, withAt(IDENTITY, 0, Infinity)),
    'not-finite',
    /end\[0\]/,
  ],
  ['a wrong place to move to', ({ free }) => free.moveTo(withAt(POSE, 2, NaN)), 'not-finite', /end\[2\]/],
  ['… and of a rigid body', ({ rigid }) => rigid.moveTo([1]), 'wrong-length', /end has 1/],
  ['a wrong world matrix', ({ free }) => free.setWorldMatrix([1, 2]), 'wrong-length', /matrix has 2/],
  ['a wrong world motion', ({ free }) => free.setWorldMotion(IDENTITY, 'x' as Any), 'wrong-type', /end/],
  ['room for too few positions', ({ free }) => free.getPositions(new Float64Array(3)), 'wrong-length', /27/],
  [
    'room of the wrong kind',
    ({ free }) => free.getLocalPositions([] as Any),
    'wrong-length',
    /Float64Array of 27/,
  ],
];

export const BODIES: Row[] = [
  [
    'no body',
    () => findSelfCollisions(undefined as Any),
    'wrong-type',
    /the body must be a body made by an engine, not undefined/,
  ],
  ['null', () => findSelfCollisions(null as Any), 'wrong-type', /the body/],
  [
    'a mesh instead of a body',
    () => findSelfCollisions(mesh as Any),
    'wrong-type',
    /the body must be a body/,
  ],
  [
    'something that looks like a body',
    () => findSelfCollisions({ checkUsable() {} } as Any),
    'wrong-type',
    /the body/,
  ],
  [
    'a body without insides',
    () => findSelfCollisions(Object.create(Body.prototype)),
    'wrong-type',
    /the body/,
  ],
  [
    'a second body that is none',
    ({ free }) => findCollisions(free, 7 as Any),
    'wrong-type',
    /the second body.*7/,
  ],
  [
    'a first body that is none',
    ({ free }) => findCollisions([] as Any, free),
    'wrong-type',
    /the first body.*an array/,
  ],
  ['one body twice', ({ free }) => findCollisions(free, free), 'mismatch', /one/],
  ['one body twice, first hit', ({ free }) => findAnyCollision(free, free), 'mismatch', /one/],
  [
    'bodies of two engines',
    ({ free, stranger }) => findCollisions(free, stranger),
    'mismatch',
    /different engines/,
  ],
  [
    'no list',
    ({ free }) => findAllCollisions(free as Any),
    'wrong-type',
    /bodies must be an array, not an object/,
  ],
  [
    'a list with a stranger',
    ({ free, stranger }) => findAllCollisions([free, stranger]),
    'mismatch',
    /bodies\[1\]/,
  ],
  [
    'a list with a double',
    ({ free, rigid }) => findAllCollisions([free, rigid, free]),
    'mismatch',
    /bodies\[2\] is listed twice/,
  ],
  [
    'a list with a hole',
    ({ free }) => findAllCollisions([free, undefined as Any]),
    'wrong-type',
    /bodies\[1\]/,
  ],
  ['a body that was disposed of', ({ gone }) => findSelfCollisions(gone), 'disposed', /body "ghost"/],
  ['… as the second', ({ free, gone }) => findCollisions(free, gone), 'disposed', /body "ghost"/],
  ['… in a list', ({ free, gone }) => findAllCollisions([free, gone]), 'disposed', /body "ghost"/],
  ['… and posed', ({ gone }) => gone.setPose(POSE), 'disposed', /body "ghost"/],
  ['… and moved', ({ gone }) => gone.setMotion(POSE, POSE), 'disposed', /body "ghost"/],
  ['… and moved on', ({ gone }) => gone.moveTo(POSE), 'disposed', /body "ghost"/],
  ['… and placed', ({ gone }) => gone.setWorldMatrix(IDENTITY), 'disposed', /body "ghost"/],
  ['… and read', ({ gone }) => gone.getPositions(), 'disposed', /body "ghost"/],
  ['… and prepared', ({ gone }) => gone.prepare(), 'disposed', /body "ghost"/],
  [
    'a disposed engine',
    ({ engine }) => {
      engine.dispose();
      engine.createFreeBody(mesh);
    },
    'disposed',
    /engine/,
  ],
  [
    'a body of a disposed engine',
    ({ engine, free }) => {
      engine.dispose();
      findSelfCollisions(free);
    },
    'disposed',
    /engine.*body "cloak"/,
  ],
  [
    '… and posed',
    ({ engine, free }) => {
      engine.dispose();
      free.setPose(POSE);
    },
    'disposed',
    /engine/,
  ],
];
