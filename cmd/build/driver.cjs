// Finds the build of the database driver that fits this machine. libsql makes Node report on the whole
// process for this, which takes 10 ms.
'use strict'
const { closeSync, openSync, readSync } = require('node:fs')

/**
 * Returns whether Node uses the C library musl. The header of the program names the loader of the library.
 */
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

/** Returns the end of the name of the package, as in `@libsql/linux-x64-gnu`. */
function currentTarget() {
  const { platform, arch } = process
  if (platform === 'linux') return `linux-${arch}-${isMusl() ? (musl[arch] ?? 'musl') : (gnu[arch] ?? 'gnu')}`
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`
}

// what libsql uses of @neon-rs/load and detect-libc; its other code corrects errors of @neon-rs/load
module.exports = { currentTarget, familySync: () => null, GLIBC: 'glibc', MUSL: 'musl' }
