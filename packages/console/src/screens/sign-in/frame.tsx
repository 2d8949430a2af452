/**
 * A page in a frame that can do nothing: no scripts, no forms, no focus. Its style is applied from here, because the policy of the
 * console, which the frame has too, admits no inline style.
 */
import { useCallback, useEffect, useRef, useState } from 'react'

const DEVICES = { desktop: [760, 620], phone: [390, 760] } as const
export type Device = keyof typeof DEVICES
const LARGEST_SCALE = 0.8
/** Of a page that is longer than the window of the device. */
const LONGEST = 3000

interface FrameProps {
  readonly title: string
  readonly html: string
  readonly css: string
  readonly device: Device
  readonly scheme: 'light' | 'dark'
}

/** The style with the wanted scheme, whatever the system prefers. */
const styled = (frame: HTMLIFrameElement, css: string, scheme: 'light' | 'dark'): void => {
  const { contentDocument: page, contentWindow } = frame
  if (!page?.documentElement || !contentWindow) return
  const sheet = new (contentWindow as Window & typeof globalThis).CSSStyleSheet()
  sheet.replaceSync(css)
  let hasDark = false
  for (const rule of Array.from(sheet.cssRules)) {
    if (!('media' in rule)) continue
    const { media } = rule as CSSMediaRule
    if (!media.mediaText.includes('prefers-color-scheme')) continue
    hasDark = true
    media.mediaText = scheme === 'dark' ? 'all' : 'not all'
  }
  page.adoptedStyleSheets = [sheet]
  page.documentElement.style.colorScheme = hasDark ? scheme : 'light'
}

export const Frame = ({ title, html, css, device, scheme }: FrameProps) => {
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [room, setRoom] = useState(0)
  useEffect(() => {
    if (!place.current) return
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  const [width, window] = DEVICES[device]
  const [height, setHeight] = useState<number>(window)
  const show = useCallback(() => {
    const { current } = frame
    if (!current) return
    styled(current, css, scheme)
    // as a window first: pages fill it, and only what does not fit makes them longer
    current.style.height = `${window}px`
    // a page that is being replaced has no element for a moment; `load` follows
    const root: HTMLElement | null | undefined = current.contentDocument?.documentElement
    const whole = Math.min(root?.scrollHeight ?? window, LONGEST)
    current.style.height = `${whole}px`
    setHeight(whole)
  }, [css, scheme, window])
  useEffect(show, [show])
  const scale = Math.min(room / width, LARGEST_SCALE)
  return (
    <div ref={place} className="overflow-hidden" style={{ height: height * scale }}>
      <div
        className="mx-auto overflow-hidden rounded-xl border border-edge"
        style={{ width: width * scale, height: height * scale }}
      >
        <iframe
          ref={frame}
          title={title}
          sandbox="allow-same-origin"
          srcDoc={html}
          inert
          tabIndex={-1}
          onLoad={show}
          className="block origin-top-left border-0 rtl:origin-top-right"
          style={{ width, height, transform: `scale(${scale})` }}
        />
      </div>
    </div>
  )
}
