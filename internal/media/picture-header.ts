// Format and size of a picture, from its header.
import { imageSize } from 'image-size'

export interface PictureHeader {
  /** As the format is called: `png`, `jpg`, `svg`, … */
  format: string
  /** In pixels, as the picture is shown: a turned photograph is measured after turning. */
  width: number
  height: number
}

/** Undefined when the header cannot be read. `bytes` may be a prefix of the file. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  try {
    const { width, height, type, orientation } = imageSize(bytes)
    const turned = orientation !== undefined && orientation >= 5
    return { format: type ?? 'picture', width: turned ? height : width, height: turned ? width : height }
  } catch {
    // an unknown or damaged header is a picture of unknown size, which the caller says
    return undefined
  }
}
