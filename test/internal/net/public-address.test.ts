// Which addresses count as public: one case per special range and per way to hide one in another.
import { expect, test } from 'vitest'
import { isLocalName, refuseAddress } from '../../../internal/net/public-address.ts'

const refused = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1
  127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1
  192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.1
  203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1 ::7f00:1 ::808:808 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
  ::ffff:0:127.0.0.1 0:0:0:0:0:ffff:c0a8:1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::8.8.8.8 100::1
  2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2001:10::1 2002:7f00:1:: 2002:a9fe:a9fe::1
  2002:808:808::1 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1
  ff02::1 ff0e::1 2606:4700::5efe:7f00:1 2606:4700::200:5efe:10.0.0.1
  example.com 1.2.3.4.5`.split(/\s+/)

test.each(refused)('rejects %s', (address) => {
  expect(refuseAddress(address)).toMatch(/^is /)
})

test.each(
  `1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.167.1.1 192.169.1.1
  198.17.0.1 198.20.0.1 223.255.255.254 168.63.129.15 2606:4700::1111 2001:4860:4860::8888 2a00:1450::1
  ::ffff:8.8.8.8 64:ff9b::8.8.8.8`.split(/\s+/),
)('%s is public', (address) => {
  expect(refuseAddress(address)).toBeUndefined()
})

test('isLocalName recognizes names of this machine and the local network, in any spelling', () => {
  const local =
    'localhost LOCALHOST localhost. a.localhost printer.local metadata.google.internal nas.home.arpa localhost.localdomain'
  for (const name of local.split(' ')) expect([name, isLocalName(name)]).toEqual([name, true])
  for (const name of 'example.com localhost.com mylocal internal.example.com'.split(' ')) {
    expect([name, isLocalName(name)]).toEqual([name, false])
  }
})
