// Builds the page of the server: one script and one style with hashed names, packed as they are sent.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** Resolves with the paths of all that went into it. */
export async function buildPage(esbuild, root, folder) {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['internal/page/main.ts', 'internal/page/page.css'],
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
  })
  mkdirSync(folder, { recursive: true })
  for (const { path, contents } of outputFiles)
    writeFileSync(join(folder, `${basename(path)}.br`), packText(contents))
  return Object.keys(metafile.inputs)
}

function packText(contents) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants
  return brotliCompressSync(contents, {
    params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT },
  })
}
