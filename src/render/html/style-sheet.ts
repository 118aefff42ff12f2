/** Colours are doubled by shapes and words; the page prints in black. */
export const styleSheet = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2128;--dim:#57606a;--line:#d0d7de;--soft:#f6f8fa;--add:#116329;--addbg:#dafbe1;
--del:#a40e26;--delbg:#ffebe9;--chg:#7d4e00;--chgbg:#fff8c5;--unk:#6639ba;--unkbg:#fbefff;--link:#0550ae;--shade:#0006}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9da7b3;--line:#3d444d;--soft:#161b22;--add:#7ee787;--addbg:#12361f;
--del:#ffa198;--delbg:#4a1618;--chg:#f2cc60;--chgbg:#3a2d06;--unk:#d2a8ff;--unkbg:#2e1c4d;--link:#79c0ff;--shade:#fff8}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}h3{font-size:1rem;margin:1rem 0 .3rem}
a{color:var(--link)}code,pre{font:13px/1.45 ui-monospace,monospace}pre{margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.verdict{padding:.8rem 1rem;border-left:.4rem solid var(--add);background:var(--addbg)}
.verdict.bad{border-color:var(--del);background:var(--delbg)}.verdict.unknown{border-color:var(--unk);background:var(--unkbg)}
.verdict p{margin:.2rem 0}dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.8rem 0}
dl.facts dt{color:var(--dim)}dl.facts dd{margin:0;overflow-wrap:anywhere}
.tools{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0}.tools[hidden]{display:none}
button,input{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--line);border-radius:.3rem;padding:.2rem .6rem}
button[aria-pressed=true]{border-color:var(--link);outline:1px solid var(--link)}
input{min-width:16rem;max-width:100%}
.wide{overflow-x:auto;background:linear-gradient(to left,var(--bg) 40%,transparent) right/3rem 100% no-repeat local,linear-gradient(to left,var(--shade),transparent) right/1.2rem 100% no-repeat scroll}
.wide:focus-visible{outline:2px solid var(--link)}
table.matrix{border-collapse:collapse;font-size:.9rem}table.matrix th,table.matrix td{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
table.matrix thead th{background:var(--soft);min-width:5rem;max-width:14rem;overflow-wrap:break-word}table.matrix tbody th{min-width:9rem;max-width:18rem;font-weight:600;overflow-wrap:break-word}
table.matrix th:first-child{position:sticky;left:0;background:var(--bg)}
.mark{display:block;white-space:nowrap;padding:0 .35rem;border-radius:.2rem;text-decoration:none;margin:.1rem 0}
.gained,.more{color:var(--add);background:var(--addbg)}.lost,.less,.test{color:var(--del);background:var(--delbg)}
.other,.write{color:var(--chg);background:var(--chgbg)}.read{color:var(--add);background:var(--addbg)}.manage{color:var(--del);background:var(--delbg)}
.restricted{color:var(--link);background:var(--soft)}.part{color:var(--dim);background:var(--soft)}.unknown{color:var(--unk);background:var(--unkbg)}
.legend{color:var(--dim);font-size:.85rem}
.who{margin:.8rem 0}.who>h3{margin-bottom:.1rem}.said{margin:.2rem 0 .2rem 1rem;padding-left:.6rem;border-left:.2rem solid var(--line)}
.said:target{border-left-color:var(--link);background:var(--soft)}.said summary{cursor:pointer}.said summary::marker{color:var(--dim)}
.dim{color:var(--dim)}
.change{content-visibility:auto;contain-intrinsic-size:auto 6rem;margin:.4rem 0;border:1px solid var(--line);border-radius:.3rem;padding:.2rem .6rem}
.change>summary{cursor:pointer;overflow-wrap:anywhere}.name{font-weight:600}
.row-add{color:var(--add)}.row-del{color:var(--del)}.row-chg{color:var(--chg)}.row-dim{color:var(--dim)}
.sign{font-family:ui-monospace,monospace;font-weight:700}
.guard:target{background:var(--soft)}.guard p{margin:.3rem 0}.guard{border:1px solid var(--del);border-radius:.3rem;padding:.5rem .8rem;margin:.5rem 0}
ol.requests{padding-left:2rem}ol.requests li{margin:.3rem 0}
.waiver{display:flex;gap:.5rem;align-items:flex-start}.waiver pre{flex:1;background:var(--soft);padding:.4rem .6rem;border-radius:.3rem}
[hidden]{display:none!important}
@media print{body{max-width:none;color:#000;background:#fff}.tools,button{display:none!important}.change{break-inside:avoid;content-visibility:visible}.later{display:none!important}a{color:inherit}}
`;
