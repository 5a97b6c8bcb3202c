import { HEAT_RAMP } from '../heat-ramp.ts';

/** `part` of the surface shader: which triangles it draws, and how. */
export const PART = { all: 0, marked: 1, glass: 2, hidden: 3 } as const;

/** Needs `ramp`, `heat` and `choice`. Colours are linear; `mark`: what touches, and heat. */
const COLOURS = `vec3 toLinear(vec3 c) { return pow(c, vec3(2.2)); }

vec3 heatColour(float t) {
  float s = clamp(t, 0.0, 1.0) * ${HEAT_RAMP.length - 1}.0;
  int k = min(int(s), ${HEAT_RAMP.length - 2});
  return toLinear(mix(ramp[k], ramp[k + 1], s - float(k)));
}

vec3 markColour(vec2 mark) {
  if (heat) return heatColour(mark.y);
  if (mark.x > 1.5) return toLinear(vec3(1.0, 0.70, 0.14));
  return toLinear(choice ? vec3(0.80, 0.36, 0.38) : vec3(0.88, 0.20, 0.235));
}`;

export const SURFACE_VERTEX = `#version 300 es
uniform mat4 toClip;
in vec3 position;
in vec3 normal;
in vec4 paint; // 1/255: touches, 2/255: chosen; heat in 0…1
out vec3 place;
out vec3 smoothNormal;
out vec3 corner;
flat out vec2 mark;
void main() {
  place = position;
  smoothNormal = normal;
  int k = gl_VertexID % 3;
  corner = vec3(k == 0, k == 1, k == 2);
  mark = vec2(floor(paint.x * 255.0 + 0.5), paint.y);
  gl_Position = toClip * vec4(position, 1.0);
}`;

export const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 eye, right, up, back;
uniform vec3 solid;
uniform vec3 ramp[${HEAT_RAMP.length}];
uniform int part;
uniform bool heat, edges, choice;
uniform float pixel;
in vec3 place;
in vec3 smoothNormal;
in vec3 corner;
flat in vec2 mark;
out vec4 colour;

${COLOURS}

void main() {
  bool marked = heat ? mark.y > 0.0 : mark.x > 0.0;
  if ((part == ${PART.marked} || part == ${PART.hidden}) && !marked) discard;
  if (part == ${PART.hidden} && choice && !heat && mark.x < 1.5) discard;
  if (part == ${PART.glass} && marked) discard;

  vec3 view = normalize(eye - place);
  vec3 facing = normalize(cross(dFdx(place), dFdy(place)));
  if (dot(facing, view) < 0.0) facing = -facing;
  vec3 n = normalize(smoothNormal + facing * 1e-4);
  if (dot(n, facing) < 0.0) n = -n;

  vec3 base = marked ? markColour(mark) : toLinear(solid);

  vec3 keyLight = normalize(-0.45 * right + 0.65 * up + 0.8 * back);
  float key = max(dot(n, keyLight), 0.0);
  float fill = max(dot(n, normalize(0.8 * right - 0.1 * up + 0.5 * back)), 0.0);
  float sky = 0.5 + 0.5 * n.y;
  float light = 0.14 + 0.30 * sky + 0.86 * key + 0.20 * fill;
  if (marked) light = mix(light, 1.0, 0.45);
  float rim = 1.0 - max(dot(n, view), 0.0);
  vec3 c = base * light + vec3(0.05) * pow(rim, 3.0);
  vec3 halfway = normalize(view + keyLight);
  if (!marked) c += vec3(0.05) * pow(max(dot(n, halfway), 0.0), 40.0);

  vec3 width = fwidth(corner) * pixel;
  vec3 near = smoothstep(vec3(0.0), width * 1.3, corner);
  float line = 1.0 - min(near.x, min(near.y, near.z));
  if (edges || (marked && !heat)) c = mix(c, base * 0.32, line * (marked ? 0.85 : 0.5));

  float alpha = 1.0;
  if (part == ${PART.glass}) alpha = mix(0.07, 0.42, pow(rim, 2.2)) + (edges ? line * 0.22 : 0.0);
  if (part == ${PART.hidden}) { c = base; alpha = 0.26; }
  colour = vec4(pow(c, vec3(1.0 / 2.2)) * alpha, alpha);
}`;

export const GROUND_VERTEX = `#version 300 es
uniform mat4 toClip;
uniform vec4 ground; // centre x, height, centre z, radius
out vec2 place;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  place = corner;
  gl_Position = toClip * vec4(ground.x + corner.x * ground.w, ground.y, ground.z + corner.y * ground.w, 1.0);
}`;

export const GROUND_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 ground;
uniform vec3 tint;
uniform float cell;
in vec2 place;
out vec4 colour;
void main() {
  vec2 at = (ground.xz + place * ground.w) / cell;
  vec2 width = max(fwidth(at), vec2(1e-6));
  vec2 apart = abs(fract(at - 0.5) - 0.5) / width;
  float line = 1.0 - min(min(apart.x, apart.y), 1.0);
  line *= 1.0 - smoothstep(0.2, 0.7, max(width.x, width.y)); // no moiré far away
  float alpha = 0.5 * line * (1.0 - smoothstep(0.25, 1.0, length(place)));
  colour = vec4(tint * alpha, alpha);
}`;

/** A dot for each marked triangle that is too small to be seen. */
export const DOT_VERTEX = `#version 300 es
uniform mat4 toClip;
uniform bool heat, choice;
uniform float pixels; // of the picture's height, at distance 1
uniform float pixel;
in vec4 place; // and size
in vec2 mark;
flat out vec2 dotMark;
void main() {
  dotMark = mark;
  gl_Position = toClip * vec4(place.xyz, 1.0);
  bool marked = heat ? mark.y > 0.0 : mark.x > (choice ? 1.5 : 0.5);
  bool small = place.w * pixels < 2.0 * pixel * gl_Position.w;
  if (!marked || !small) gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside
  gl_PointSize = 4.5 * pixel;
}`;

export const DOT_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 ramp[${HEAT_RAMP.length}];
uniform bool heat, choice;
flat in vec2 dotMark;
out vec4 colour;
${COLOURS}
void main() {
  float alpha = 0.9 * (1.0 - smoothstep(0.35, 0.5, length(gl_PointCoord - 0.5)));
  colour = vec4(pow(markColour(dotMark), vec3(1.0 / 2.2)) * alpha, alpha);
}`;
