/** What `--help` says. Paragraphs have no line breaks of their own: a terminal's width decides. */

export const FILES = [
  'a .glb or .gltf; a mesh (obj, ply, stl, off; tetrahedra as mesh, msh, vtk, veg, node and ele; each also .gz);',
  'several meshes or a folder of them as the frames of a sequence; a mesh and its .pc2 or .mdd',
].join(' ');

export const CHECK_DESCRIPTION = [
  'Finds every pair of triangles that touch, in every frame: within each mesh and between meshes. Neighbours, which',
  'share a vertex, do not count. Contact means that surfaces touch: a mesh wholly inside another one reports nothing.',
  'Exit code 0: no contact; 1: contacts; 2: bad input, or output that cannot be written; 130: interrupted;',
  '141: whoever reads stdout has gone.',
].join(' ');

export const BAKE_DESCRIPTION = [
  'Writes every frame as an OBJ file with 17 digits: world positions of all vertices in file order, and triangles in the',
  'order in which `pliant check` numbers them.',
].join(' ');

export const MODES_DESCRIPTION = [
  'Computes the modes of an elastic body, or takes given ones, and stores them with what they were made from.',
  'linear: the slowest vibrations. nonlinear: these, and how they change in large deformations. polynomial: quadratic',
  'functions of the position. morph: the morph targets of a glTF mesh, as they are. sequence: the directions in which',
  'a recorded motion extends most. Units are yours, if they agree: metres, kilograms, seconds and pascals, say.',
  'Meshes of glTF files that never move are in world coordinates. Exit code 0: stored; 2: bad input; 130: interrupted.',
].join(' ');

export const CERTIFY_DESCRIPTION = [
  'Proves how far the weights of morph targets or modes can go before parts of a mesh touch each other, and stores it;',
  'for frames that are given vertex by vertex, how much parts of the first one must be bent.',
  '`pliant check --certificates FILE` then skips what is proved; so can programs, with `certificatesFor` of pliant/io or',
  '`useCertificates` of pliant/three. Answers stay the same. A mesh that changes makes its certificate stale: it is',
  'refused. Ctrl-C keeps what is done in FILE.pliant.part, and the next run goes on from there.',
  'Exit code 0: stored; 2: bad input; 130: interrupted.',
].join(' ');

export const WORKER_DESCRIPTION = [
  'Takes jobs from a queue in Redis, checks their frames and sends back what it finds, until Ctrl-C. Any number of',
  'workers on any number of machines share the jobs of any number of checks; a job whose worker dies is given to another.',
  'The password can be in the environment, as PLIANT_QUEUE_PASSWORD. Check and worker need the same version of pliant.',
  'Exit code 0: ended by Ctrl-C or --idle; 2: Redis is not there, or bad usage.',
].join(' ');

export const MAIN_EXAMPLES = `
Examples:
  $ pliant check hero.glb                      every clip, 30 frames per second
  $ pliant check hero.glb --html report.html   the same, with a report to look at
  $ pliant info hero.glb                       what is in the file
  $ pliant certify hero.glb                    proofs that make checks of morph targets faster
  $ pliant correct hero.glb --clip Walk --time 0.5   a morph target that undoes the contacts then
  $ pliant studio hero.glb                     look at it in the browser

\`pliant <command> --help\` explains a command.`;

export const CHECK_EXAMPLES = `
Examples:
  $ pliant check hero.glb --clip Walk --clip Run --fps 60
  $ pliant check hero.glb --json contacts.json --html report.html
  $ pliant check cloth.obj cloth.pc2 --frames 0-100
  $ pliant check bunny.obj --modes bunny-modes.pliant --poses poses.npy
  $ pliant check frames/                       a folder of OBJ, PLY or STL frames
  $ pliant check body.obj shirt.obj --between
  $ pliant check hero.glb --ignore 'Cape*' --with Body --min-frames 3
  $ pliant check hero.glb --write-allow known.json    # once; later, in the build:
  $ pliant check hero.glb --allow known.json --format github
  $ pliant check hero.glb --shard 0/4 --json part0.json
  $ pliant check characters/*.glb --json results/     one file of results for each
  $ pliant check hero.glb --queue redis://farm:6379   # frames are checked wherever \`pliant worker\` runs`;

export const BAKE_EXAMPLES = `
Examples:
  $ pliant bake hero.glb -o frames
  $ pliant bake hero.glb --clip Walk --times 0,0.25,0.5 -o frames`;

export const INFO_EXAMPLES = `
Examples:
  $ pliant info hero.glb
  $ pliant info hand.mesh --json -
  $ pliant info bunny.pliant`;

export const MERGE_EXAMPLES = `
Examples:
  $ pliant check hero.glb --shard 0/2 --json a.json
  $ pliant check hero.glb --shard 1/2 --json b.json
  $ pliant merge a.json b.json -o contacts.json`;

export const MODES_EXAMPLES = `
Examples:
  $ pliant modes bunny.obj -o bunny.pliant                   30 modes in a lattice of 10,000 vertices
  $ pliant modes hand.mesh -o hand.pliant --count 20         in the tetrahedra of the file
  $ pliant modes tree.obj -o tree.pliant --fix 'y<2%'        rooted in the ground
  $ pliant modes bunny.obj -o bunny.pliant --kind nonlinear --young 5e4
  $ pliant modes dragon.obj -o dragon.pliant --tetrahedra dragon.veg
  $ pliant modes cloth.obj cloth.pc2 -o cloth.pliant --count 12
  $ pliant modes face.glb -o face.pliant --kind morph
  $ pliant modes bunny.obj -o bunny.pliant --import U.npy
  $ pliant info bunny.pliant`;

export const CERTIFY_EXAMPLES = `
Examples:
  $ pliant certify face.glb                    makes face.pliant, which \`pliant check face.glb\` uses
  $ pliant certify face.glb --gauge box        for any weights from 0 to 1
  $ pliant certify face.glb --mesh Head --for three -o public/head.pliant
  $ pliant certify walk.obj walk.pc2           for what nothing is known of but its vertices
  $ pliant certify bunny.obj --modes bunny-modes.pliant -o bunny.pliant
  $ pliant info face.pliant                    what is in it`;

export const WORKER_EXAMPLES = `
Examples:
  $ pliant worker --queue redis://farm:6379           on each machine; then, on any:
  $ pliant check hero.glb --queue redis://farm:6379 --json contacts.json
  $ PLIANT_QUEUE_PASSWORD=… pliant worker --queue rediss://pliant@farm:6380 --queue-ca ca.pem
  $ pliant worker --queue redis://farm --shared-root /mnt/models --threads 4 --idle 600`;

export const STUDIO_EXAMPLES = `
Examples:
  $ pliant studio
  $ pliant studio hero.glb
  $ pliant studio --edit creature.obj          bend it, and keep the result
  $ pliant studio frames/ --port 8080 --no-open`;
