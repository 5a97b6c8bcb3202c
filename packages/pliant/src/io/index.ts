export {
  type BodyAddress,
  CERTIFICATE_KINDS,
  type CertificateRecord,
  type CertificatesFile,
  type CertificatesForOptions,
  certificatesFor,
  createRecord,
  hashForCertificate,
  matchingRecords,
  readCertificates,
  writeCertificates,
} from './certificates-file.ts';
export { type DmatFile, readDmat } from './dmat.ts';
export { readEnergyCertificate, writeEnergyCertificate } from './energy-file.ts';
export type { FileBytes } from './file-bytes.ts';
export { readGmsh } from './gmsh.ts';
export { type GunzipOptions, gunzip, isGzip } from './gzip.ts';
export { type InterpFile, readInterp } from './interp.ts';
export { readMedit } from './medit.ts';
export type { MeshFile, MeshGroup, PointCache, TetFile } from './mesh-file.ts';
export {
  hashOfSurface,
  type ModesOrigin,
  readModes,
  type StoredModes,
  type StoredSolid,
  writeModes,
} from './modes-file.ts';
export { type NpyFile, npyModes, readNpy, type WriteNpyOptions, writeNpy } from './npy.ts';
export { readObj, readObjStream } from './obj.ts';
export { readOff } from './off.ts';
export { readPly } from './ply.ts';
export { readMdd, readPc2, writePc2 } from './point-cache.ts';
export { type ReadMeshOptions, readMesh, readPointCache, sniffFormat } from './read-mesh.ts';
export { readStl } from './stl.ts';
export {
  checkMadeFrom,
  isStored,
  readStored,
  type StoredArray,
  type StoredData,
  storedArray,
  writeStored,
} from './stored-file.ts';
export { readSubspaceCertificate, writeSubspaceCertificate } from './subspace-file.ts';
export { readTetgen, type TetgenFiles } from './tetgen.ts';
export { readTgf, type TgfFile } from './tgf.ts';
export { readVeg } from './veg.ts';
export { readVtk } from './vtk.ts';
export { type WritableMesh, writeObj, writePly, writeStl } from './write-mesh.ts';
