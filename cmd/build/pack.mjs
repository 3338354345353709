// Joins the chunks that a frequent command uses into one script. Each chunk runs at its first use.
import { posix } from 'node:path'

/**
 * Option of esbuild that keeps regular expressions with Unicode properties as literals, which are compiled at
 * their first use. Without it, esbuild would write `new RegExp`, compiled when the module loads, because it
 * does not know that Node 20.19 has all these properties.
 */
export const supported = { 'regexp-unicode-property-escapes': true }

/**
 * Returns the script of one pack: a function of the arguments of a CommonJS module, which returns a function
 * for each chunk that runs it. In one scope, chunks use each other's names directly. In separate modules,
 * each name would be a getter of a getter with helpers in each chunk, a quarter of the code that a start
 * reads.
 */
export async function joinChunks(esbuild, chunks, paths) {
  const inside = new Set(paths)
  const parts = paths.map(
    (path) => `${JSON.stringify(commonJsPath(path))}: () => require(${JSON.stringify(`./${path}`)})`,
  )
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `module.exports = {\n${parts.join(',\n')}\n}`, loader: 'js' },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    supported: { ...supported, 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
    plugins: [insideOf(chunks, inside)],
  })
  const code = escapeLetters(deferPromises(importPlainly(deferExports(outputFiles[0].text))))
  return `(function(exports,require,module,__filename,__dirname){"use strict";${fileUrl(code)}${code}})\n`
}

/** Resolves chunks of the pack in memory. The program loads all others when it runs. */
function insideOf(chunks, inside) {
  return {
    name: 'inside-of-pack',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (!path.startsWith('.')) return { path, external: true }
        const full = posix.join(posix.dirname(importer || './x'), path)
        if (inside.has(full) && kind !== 'dynamic-import') return { path: full, namespace: 'chunk' }
        return { path: `./${posix.relative('chunk', commonJsPath(full))}`, external: true }
      })
      build.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: chunks.get(path) }))
    },
  }
}

/**
 * Changes the code of a pack so that the getters of a chunk's exports are made at the first use from outside
 * of the pack, not at the start. Inside of the pack, exports are plain variables. Throws if esbuild writes
 * exports in another form.
 */
function deferExports(code) {
  // esbuild writes name2 if a chunk has a global variable `name`
  const now =
    /__export=\(target,all\)=>\{for\(var (\w+) in all\)__defProp\(target,\1,\{get:all\[\1\],enumerable:!0\}\)\}/
  const copy = '__toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:!0}),mod);'
  if (!now.test(code) || !code.includes(copy)) throw new Error('esbuild writes exports in another way now')
  const later = `__all=new Map,__export=(target,all)=>{__all.set(target,all)}`
  const make = '__defProp(target,name,{get:all[name],enumerable:!0})'
  const asked = `__toCommonJS=target=>{const all=__all.get(target);if(__all.delete(target)){__defProp(target,"__esModule",{value:!0});for(const name in all)${make}}return target};`
  return code.replace(now, () => later).replace(copy, () => asked)
}

/**
 * Removes the second object with getters that esbuild makes for `import()` of a chunk, because the chunk
 * already is a module.
 */
export function importPlainly(code) {
  return code.replace(/__toESM\((require\("\.\/[^"]+"\))\)/g, '$1')
}

/**
 * Loads `fs/promises` at its first use, because it takes over 1 ms and a run that writes no file does not
 * need it.
 */
function deferPromises(code) {
  const late = 'new Proxy({},{get:(_,name)=>require("node:fs/promises")[name]})'
  return code.replace(/=require\("node:fs\/promises"\)(?=[,;])/g, () => `=${late}`)
}

/**
 * Returns the code with escapes such as `\u2026` for all characters outside of ASCII. The loader reads packs as
 * Latin-1, and esbuild writes such characters of regular expressions and of `String.raw` as they are, so they
 * would match other characters.
 */
export function escapeLetters(code) {
  return code.replace(/\\?([^\x00-\x7f])|\\./gs, (whole, letter) =>
    letter === undefined ? whole : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns the path of a chunk as the loader knows it. */
export function commonJsPath(path) {
  return path.replace(/\.js$/, '.cjs')
}

/**
 * Returns code that computes the URL of the file at its first use, because a start does not need it; empty if
 * `code` does not use the URL.
 */
export function fileUrl(code) {
  if (!code.includes('__file.url')) return ''
  return 'const __file={get url(){return require("node:url").pathToFileURL(__filename).href}};'
}
