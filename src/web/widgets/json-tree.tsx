import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { pathTo } from './find-in-json.ts'
import { isScalar } from './scalar.tsx'
import { useShowMore } from './use-show-more.tsx'
import widgetsStyles from './widgets.module.css'

/** A tree that renders only expanded nodes, so that neither depth nor length blocks the page. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className={widgetsStyles.json}>
      <Children parent={value} path="" depth={0} />
    </div>
  )
}

function Children({ parent, path, depth }: { parent: unknown; path: string; depth: number }) {
  const { shown, more } = useShowMore(Object.entries(parent as object), 50, 'elements')
  return (
    <ul>
      {shown.map(([name, child]) => (
        <li key={name}>
          <Node name={name} path={pathTo(path, name, Array.isArray(parent))} value={child} depth={depth} />
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  )
}

type NodeProps = { name: string; path: string; value: unknown; depth: number }

function Node({ name, path, value, depth }: NodeProps) {
  const [isOpen, setOpen] = useState(depth === 0 && sizeOf(value) <= 10)
  if (isScalar(value)) {
    return (
      <span className={`block ${widgetsStyles.leaf}`}>
        <span className={widgetsStyles.key}>
          <bdi>{bidiSafe(name)}</bdi>
        </span>
        {': '}
        <bdi className="pre-wrap">{bidiSafe(JSON.stringify(value) ?? '')}</bdi>
        <CopyPath path={path} />
      </span>
    )
  }
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of={ChevronRight} />
        <span className={widgetsStyles.key}>
          <bdi>{bidiSafe(name)}</bdi>
        </span>
        {Array.isArray(value) ? `[${sizeOf(value)}]` : `{${sizeOf(value)}}`}
      </button>
      <CopyPath path={path} />
      {isOpen && <Children parent={value} path={path} depth={depth + 1} />}
    </>
  )
}

function CopyPath({ path }: { path: string }) {
  return (
    <CopyButton
      className={widgetsStyles.copyPath}
      label={`Copy path ${escapeBidi(path)}`}
      text={() => path}
    />
  )
}

function sizeOf(value: unknown): number {
  return isScalar(value) ? 0 : Object.keys(value as object).length
}
