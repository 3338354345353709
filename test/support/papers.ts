// Small fictional studies in every readable format, with their measurements. test/fixtures/papers has
// them as files.
import { assemblePdf, layOutPdf } from './pdf.ts'
import { makeDocx, makeEpub, wordParagraph, wordTable } from './zip.ts'

const line = (text: string, drop = 14) => ({ text, drop })
const heading = (text: string) => ({ text, size: 15, drop: 30 })

function tidePools(): Buffer {
  return layOutPdf(
    [
      [
        { text: 'Night cooling of tide pools at Hollin Point', size: 20, drop: 20 },
        line('R. Amsel and J. Tooley', 26),
        heading('Abstract'),
        line('We measure how fast the water of fourteen tide pools cools at night. The water tempera-', 20),
        line('ture was logged every ten minutes for 21 nights. Shallow pools lose 1.9 degrees Celsius'),
        line('per hour, deep ones 0.6 degrees Celsius per hour.'),
        heading('Methods'),
        line('Each pool held one logger at 5 cm below the surface. Pool depth was taken with a rod at', 20),
        line('low tide and ranged from 11 cm to 74 cm. Wind speed came from the harbour mast in m/s.'),
      ],
      [
        heading('Results'),
        line(
          'Cooling rate falls with depth: at 11 cm it is 1.9 degrees Celsius per hour, at 40 cm it is',
          20,
        ),
        line('0.9, and below 70 cm it stays near 0.6. Wind above 8 m/s raises the rate by a quarter.'),
        line('Snails moved out of pools that fell below 4 degrees Celsius.', 26),
      ],
      [
        heading('Limits of the study'),
        line('Only one summer was measured, and no pool lay above the spring tide line.', 20),
      ],
    ],
    { info: '/Title (Night cooling of tide pools at Hollin Point) /CreationDate (D:20230914101500Z)' },
  )
}

function oatStarch(): Buffer {
  const body = [
    wordParagraph('Drying time and starch in oats', 'Titel'),
    wordParagraph('Question', 'berschrift1'),
    wordParagraph('We measure the starch content of oats, in per cent of dry mass, after four drying times.'),
    wordParagraph('Procedure', 'berschrift1'),
    wordParagraph('Six samples of 250 g each were dried at 60 °C and weighed on a scale that reads 0.1 g.'),
    wordParagraph('Results', 'berschrift1'),
    wordTable([
      ['Drying time', 'Starch content', 'Samples'],
      ['2 h', '58.4 %', '6'],
      ['4 h', '57.9 %', '6'],
      ['8 h', '55.1 %', '6'],
      ['16 h', '49.7 %', '5'],
    ]),
    wordParagraph('Starch is lost only after eight hours; the loss at sixteen hours is 8.7 points.'),
  ]
  return makeDocx(
    body.join(''),
    {
      core: '<dc:title>Drying time and starch in oats</dc:title><dcterms:modified>2022-03-02T09:00:00Z</dcterms:modified>',
    },
    { stored: true },
  )
}

function swiftNests(): Buffer {
  return makeEpub(
    [
      '<h1>Swift nests under tin roofs</h1><p>This report measures the air temperature in nest boxes of common swifts, ' +
        'in degrees Celsius, and the number of young that fledge.</p>',
      '<h1>What was found</h1><p>Under tin the boxes reached 46 °C on eleven days; under tile they never passed 37 °C.</p>' +
        '<p>From 32 boxes under tin 19 young fledged, from 32 boxes under tile 61.</p>' +
        '<h2>What helps</h2><p>A white board 4 cm above the roof lowered the peak by 7 °C.</p>',
    ],
    { metadata: '<dc:title>Swift nests under tin roofs</dc:title><dc:date>2021-11-30</dc:date>' },
    { stored: true },
  )
}

function pumpNoise(): string {
  const cells = [
    {
      cell_type: 'markdown',
      source: [
        '# Noise of village pumps\n',
        '\n',
        'The notebook measures the sound pressure level of nine water pumps, in dB(A) at one metre.\n',
      ],
    },
    {
      cell_type: 'code',
      execution_count: 1,
      source: ['levels = [61.2, 58.8, 72.5, 64.0, 66.1, 59.9, 70.3, 63.7, 68.4]\n', 'print(max(levels))'],
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['72.5\n'] }],
    },
    {
      cell_type: 'code',
      execution_count: 2,
      source: ['plot(levels)'],
      outputs: [
        {
          output_type: 'display_data',
          data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': ['<Figure size 640x480>'] },
        },
      ],
    },
    {
      cell_type: 'markdown',
      source: ['## Result\n', 'The loudest pump reaches 72.5 dB(A); new bearings lower it by 6 dB(A).'],
    },
  ]
  const metadata = { language_info: { name: 'python' } }
  return `${JSON.stringify({ cells: cells.map((cell) => ({ metadata: {}, ...cell })), metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`
}

const lichenPlots = [
  'plot,lichen cover (%),height above ground (cm),bark pH,note',
  'L1,34,120,5.1,"north side, shaded"',
  'L2,12,120,4.6,',
  'L3,51,150,5.6,"old maple, no moss"',
  'L4,8,90,4.3,"beside the road;\nsalt in winter"',
  'L5,47,150,5.5,',
].join('\n')

const bridgeSway = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>How much a footbridge sways</title>
<meta name="dcterms.created" content="2020-06-18"><style>body { color: #222 }</style>
<script>track('reader')</script></head>
<body><nav><a href="/">All reports</a></nav>
<h1>How much a footbridge sways</h1>
<p>We measure the sideways acceleration of the Marl footbridge, in mm/s&sup2;, while people walk over it.</p>
<h2>Setup</h2><p>Two sensors at mid span took 200 readings a second on <b>five market days</b>.</p>
<h2>Results</h2>
<table><tr><th>Walkers</th><th>Acceleration</th><th>Frequency</th></tr>
<tr><td>10</td><td>38 mm/s²</td><td>1.1 Hz</td></tr>
<tr><td>60</td><td>96 mm/s²</td><td>1.0 Hz</td></tr>
<tr><td>140</td><td>212 mm/s²</td><td>0.9 Hz</td></tr></table>
<p>Above 140 walkers the deck moves more than people like, which is 200 mm/s².</p>
</body></html>
`

/** Returns a PDF that requires a password. Its key does not match an empty password. */
export function lockedPdf(): Buffer {
  const [owner, user, id] = ['5'.repeat(64), '9'.repeat(64), 'a'.repeat(32)]
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${owner}> /U <${user}> /P -44 >>`
  return layOutPdf([[line('sealed')]], { trailer: ` ${encrypt} /ID [<${id}> <${id}>]` })
}

/** Returns pages with a drawing and no text, as a scanner makes them. */
export const scannedPdf = (pages: number): Buffer =>
  assemblePdf(Array.from({ length: pages }, () => '0.9 g 72 72 468 648 re f 0.2 g 90 600 400 2 re f'))

/** The papers by file name. */
export const papers: Readonly<Record<string, Buffer>> = {
  'bridge-sway.html': Buffer.from(bridgeSway),
  'lichen-plots.csv': Buffer.from(`${lichenPlots}\n`),
  'oat-starch.docx': oatStarch(),
  'old-survey-scan.pdf': scannedPdf(12),
  'pump-noise.ipynb': Buffer.from(pumpNoise()),
  'sealed-results.pdf': lockedPdf(),
  'swift-nests.epub': swiftNests(),
  'tide-pools.pdf': tidePools(),
  'torn-copy.pdf': tidePools().subarray(0, 300),
}
