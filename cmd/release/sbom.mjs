// The list of all software in the package: CycloneDX, for the packages that are installed or bundled.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeShrinkwrap } from './shrinkwrap.mjs'

/** Returns the list. It needs a build, whose `third-party-licenses.txt` names the bundled packages. */
export function makeSbom(root) {
  const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const all = JSON.parse(text)
  const shipped = new Set([...bundledPackages(root), ...installedPackages(root)])
  const components = all.components.filter((one) => shipped.has(`${fullName(one)}@${one.version}`))
  const references = new Set([all.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const dependencies = all.dependencies
    .filter(({ ref }) => references.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => references.has(one)) }))
  return { ...all, components: components.map(asRequired), dependencies }
}

/** npm marks bundled packages as development packages, but their code is shipped. */
function asRequired(component) {
  const properties = (component.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development')
  const { scope: _, ...rest } = component
  return { ...rest, properties }
}

const fullName = ({ group, name }) => (group ? `${group}/${name}` : name)

function bundledPackages(root) {
  const licenses = readFileSync(join(root, 'dist', 'third-party-licenses.txt'), 'utf8')
  return [...licenses.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \([^)\n]+\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  )
}

function installedPackages(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(makeShrinkwrap(lock).packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
}
