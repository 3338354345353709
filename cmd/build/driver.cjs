// Which build of the database driver fits this machine. libsql itself has Node write a report on the whole process to find out, which takes 10 ms.
'use strict'
const { closeSync, openSync, readSync } = require('node:fs')

/** The C library stands in the name of the loader that the program of Node asks for, at its very beginning. */
function isMusl() {
  const fd = openSync(process.execPath, 'r')
  try {
    const head = Buffer.alloc(2048)
    readSync(fd, head)
    return head.includes('/ld-musl-')
  } finally {
    closeSync(fd)
  }
}

const gnu = { arm: 'gnueabihf' }
const musl = { arm: 'musleabihf' }

/** The ending of the package's name, as in `@libsql/linux-x64-gnu`. */
function currentTarget() {
  const { platform, arch } = process
  if (platform === 'linux') return `linux-${arch}-${isMusl() ? (musl[arch] ?? 'musl') : (gnu[arch] ?? 'gnu')}`
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`
}

// what libsql takes from @neon-rs/load and detect-libc; the rest mends what the former gets wrong
module.exports = { currentTarget, familySync: () => null, GLIBC: 'glibc', MUSL: 'musl' }
