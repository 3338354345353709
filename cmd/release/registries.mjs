// Files for registries and package managers, made from package.json and the packed program.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest, repositoryAddress } from './address.mjs'

/** Writes all files into `out`. `tarball` is the path of the packed program. Returns their names. */
export function writeRegistryFiles(root, tarball, out) {
  const files = registryFiles(readManifest(root), readFileSync(tarball))
  mkdirSync(out, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text)
  return Object.keys(files)
}

/**
 * Returns the text of each file by name. `bytes` is the packed program, whose hash is in
 * anode.rb and default.nix.
 */
export function registryFiles(manifest, bytes) {
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`
  return {
    'agent.json': json(acpAgent(manifest)),
    'server.json': json(mcpServer(manifest)),
    'anode.rb': homebrewFormula(manifest, createHash('sha256').update(bytes).digest('hex')),
    'default.nix': nixPackage(manifest, createHash('sha512').update(bytes).digest('base64')),
  }
}

const githubUrl = (manifest) => `https://github.com/${repositoryAddress(manifest)}`
const tarballUrl = ({ name, version }) => `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`

/**
 * Returns the entry of the ACP registry. `anode acp` offers the authentication method that
 * the registry requires.
 */
function acpAgent(manifest) {
  const { name, version, description, license } = manifest
  const url = githubUrl(manifest)
  return {
    id: 'anode',
    name: 'Anode',
    version,
    description,
    repository: url,
    website: manifest.homepage,
    authors: [repositoryAddress(manifest).split('/')[0]],
    license,
    license_url: `${url}/blob/main/LICENSE`,
    distribution: { npx: { package: `${name}@${version}`, args: ['acp'] } },
  }
}

/** Returns the entry of the MCP registry, which compares `name` with `mcpName` of the published package. */
function mcpServer(manifest) {
  const { name, version, description, mcpName } = manifest
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Anode',
    description,
    version,
    websiteUrl: manifest.homepage,
    repository: { url: githubUrl(manifest), source: 'github' },
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'positional', value: 'serve' },
        ],
      },
    ],
  }
}

function homebrewFormula(manifest, sha256) {
  return `class Anode < Formula
  desc "${manifest.description.replace(/^An? /, '').replace(/^./, (letter) => letter.toUpperCase())}"
  homepage "${manifest.homepage}"
  url "${tarballUrl(manifest)}"
  sha256 "${sha256}"
  license "${manifest.license}"

  depends_on "node"

  on_linux do
    depends_on "bubblewrap"
  end

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("lib/node_modules/${manifest.name}/dist/man/*.1.gz")
    generate_completions_from_executable(bin/"anode", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/anode --version")
    (testpath/"notes.md").write "The default timeout is thirty seconds.\\n"
    assert_match "notes.md", shell_output("#{bin}/anode tools use grep --arg pattern=thirty")
  end
end
`
}

/**
 * Returns a Nix package of the program without the optional npm packages, because Node in nixpkgs has SQLite
 * and nixpkgs has ripgrep.
 */
function nixPackage(manifest, sha512) {
  return `{ lib, stdenvNoCC, fetchurl, makeWrapper, nodejs_24, ripgrep, git, bubblewrap }:

stdenvNoCC.mkDerivation {
  pname = "anode";
  version = "${manifest.version}";

  src = fetchurl {
    url = "${tarballUrl(manifest)}";
    hash = "sha512-${sha512}";
  };

  nativeBuildInputs = [ makeWrapper ];

  installPhase = ''
    runHook preInstall
    mkdir -p $out/lib/anode $out/bin $out/share/man/man1
    cp -r . $out/lib/anode
    cp dist/man/*.1.gz $out/share/man/man1
    makeWrapper \${nodejs_24}/bin/node $out/bin/anode \\
      --add-flags $out/lib/anode/dist/anode.cjs \\
      --suffix PATH : \${lib.makeBinPath ([ ripgrep git ] ++ lib.optional stdenvNoCC.hostPlatform.isLinux bubblewrap)}
    runHook postInstall
  '';

  meta = {
    description = "${manifest.description}";
    homepage = "${manifest.homepage}";
    license = lib.licenses.asl20;
    mainProgram = "anode";
    platforms = lib.platforms.linux ++ lib.platforms.darwin;
  };
}
`
}
