/** Words of the block that describes a side, as in kernels/side.ts. Numbers among them are f64. */
export const SIDE = {
  link: 0,
  corners: 1,
  nodes: 2,
  entries: 3,
  modeEntries: 4,
  volumes: 5,
  tables: 6,
  dense: 7, // how many modes every point has, 0 when some lack some
  bounded: 8,
  frame: 9,
  previous: 10,
  ends: 11,
  support: 12,
  refitted: 13,
  evaluated: 14,
  handleCount: 15,
  end: 16, // two blocks about positions, of the start and the end of a motion
  rest: 40,
  skin: 41, // start, index, value
  modes: 44, // start, index, value
  hasPhantom: 47,
  place: 48, // two blocks of numbers
  centre: 64, // of the rest box
  weightSum: 70,
  factorSum: 72,
  reach: 74, // per end two numbers: largest offset from the centre, largest coordinate
  morePasses: 82,
  slotBoxes: 83,
  ranges: 84,
  newPoints: 85,
  stamp: 86,
} as const;

/** Words of a volume: lo.xyz and hi.xyz (f32), the frames in which it was computed and last looked at. */
export const VOLUME = { computed: 6, seen: 7, words: 8 } as const;

/** Words of a block about positions. */
export const END = {
  local: 0,
  localStamps: 1,
  localEpoch: 2,
  placed: 3,
  placedStamps: 4,
  placedEpoch: 5,
  world: 6,
  matrices: 7,
  weights: 8,
  handles: 9,
  weights32: 10,
  words: 12,
} as const;

/** Numbers of a place: origin xyz, margin. */
export const PLACE = { margin: 3, numbers: 4 } as const;

/** The views of kernel memory that the kernels on a side need. */
export interface Views {
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}
