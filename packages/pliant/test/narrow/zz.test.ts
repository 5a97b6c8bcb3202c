import fc from 'fast-check';
import { test, expect } from 'vitest';
import { latticeCases, latticeStep, coplanarStep, collinearStep, degenerateStep, perturbed, realStep, contactOf, areSameTimes } from './continuous-cases.ts';
import { oracleContact, isTimeWithin } from './continuous-oracle.ts';
const anyDouble = fc.double({noNaN:true, noDefaultInfinity:true});
const wild = fc.tuple(fc.array(anyDouble,{minLength:12,maxLength:12}),fc.array(anyDouble,{minLength:12,maxLength:12})).map(([a,b])=>({start:Float64Array.from(a),end:Float64Array.from(b)}));
const mixed = fc.tuple(latticeStep(12,3), fc.array(fc.constantFrom(0,0,0,2**-1000,2**-1074,1e-300,2**900,2**1000,-(2**-500)),{minLength:24,maxLength:24})).map(([s,n])=>({start:s.start.map((x,i)=>x+n[i]),end:s.end.map((x,i)=>x+n[12+i])}));
const gens: any = { };
for (const e of [-20,-40,-45,-48,-50,-51,-52,-60]) gens['perturbed'+e]=perturbed(latticeCases(),2**e);
gens.real1=realStep(1); gens.real01=realStep(.01); gens.real3=realStep(3); gens.realtiny=realStep(1e-10);
gens.wild=wild; gens.mixed=mixed;
for (const g in gens) test(g, () => {
 for (const kind of ['vf','ee'] as const) {
  const st = {n:0, touch:0, exact:0, bad:0, worst:0}; let te=0, tl=0;
  for (const s of fc.sample(gens[g], g==='wild'||g==='mixed'?400:10000) as any[]) {
    const t0=performance.now();
    const r = contactOf(kind, s); const t1=performance.now(); tl+=t1-t0;
    const o = contactOf(kind, s, true); const d=performance.now()-t1; te+=d; st.worst=Math.max(st.worst,d);
    st.n++; if (o.touches) st.touch++;  if (r.usedExact) st.exact++;
    if (r.touches !== o.touches || !areSameTimes(o.time, r.time)) { if (!st.bad++) console.log('BAD', kind, g, r, o, JSON.stringify([[...s.start],[...s.end]])); }
  }
  console.log(kind, g, JSON.stringify(st), 'lib ms', tl.toFixed(0), 'exact ms', te.toFixed(0));
 }
});
