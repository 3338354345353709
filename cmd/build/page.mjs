// Builds the page of the server: its script, the script of the grammars, and its style sheet, with hashed
// names and compressed for sending.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** Writes the page into `folder`. Resolves to the paths of all source files in it. */
export async function buildPage(esbuild, root, folder) {
  const bundle = (entryPoints, define) =>
    esbuild.build({
      absWorkingDir: root,
      entryPoints,
      entryNames: '[name]-[hash]',
      outdir: folder,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'browser',
      target: ['chrome115', 'firefox115', 'safari16.4'],
      format: 'esm',
      minify: true,
      legalComments: 'none',
      logLevel: 'warning',
      define,
      // a script that is built first
      external: ['./grammars-*'],
    })
  // a separate script, which the page loads with the first code
  const grammars = await bundle(['internal/base/code/grammars.cjs'], {})
  const script = JSON.stringify(`./${basename(grammars.outputFiles[0].path)}`)
  const entries = ['internal/page/main.ts', 'internal/page/page.css']
  const page = await bundle(entries, { 'process.env.ANODE_GRAMMARS': script })
  mkdirSync(folder, { recursive: true })
  for (const { path, contents } of [...grammars.outputFiles, ...page.outputFiles])
    writeFileSync(join(folder, `${basename(path)}.br`), packText(contents))
  return [...Object.keys(grammars.metafile.inputs), ...Object.keys(page.metafile.inputs)]
}

function packText(contents) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants
  return brotliCompressSync(contents, {
    params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT },
  })
}
