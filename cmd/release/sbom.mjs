// The list of all software in the package: CycloneDX, for the packages that are installed or bundled.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the CycloneDX list of the packages that are installed or bundled. It needs a build, whose
 * `third-party-licenses.txt` names the bundled packages.
 */
export function makeSbom(root) {
  const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const all = JSON.parse(text)
  const bundled = bundledPackages(root)
  const shipped = new Set([...bundled.keys(), ...installedPackages(root)])
  const components = all.components.filter((one) => shipped.has(`${fullName(one)}@${one.version}`))
  const references = new Set([all.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const dependencies = all.dependencies
    .filter(({ ref }) => references.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => references.has(one)) }))
  return { ...all, components: components.map((one) => asRequired(one, bundled)), dependencies }
}

/**
 * Returns a component without the mark of a development package, which npm gives to bundled packages,
 * although their code is shipped. Adds the license of a bundled package if npm lists none, as for one that
 * has it only as a text.
 */
function asRequired(component, bundled) {
  const properties = (component.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development')
  const { scope: _, ...rest } = component
  const id = bundled.get(`${fullName(component)}@${component.version}`)
  return { licenses: [{ license: { id } }], ...rest, properties }
}

const fullName = ({ group, name }) => (group ? `${group}/${name}` : name)

/** Returns the license of each bundled package, by name and version. */
function bundledPackages(root) {
  const licenses = readFileSync(join(root, 'dist', 'third-party-licenses.txt'), 'utf8')
  const heads = licenses.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \(([^)\n]+)\)$/gm)
  return new Map([...heads].map(([, name, version, license]) => [`${name}@${version}`, license]))
}

function installedPackages(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
}
