import { useState } from 'react'
import { nameOf } from '../../contract/compare.ts'
import { isObject, type JsonObject, own } from '../../contract/forms/json.ts'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { useShortcuts } from '../lib/shortcuts.ts'
import styles from './compare.module.css'
import { ComparePane } from './compare-pane.tsx'
import { CompareTabs } from './compare-tabs.tsx'
import { CompareTools } from './compare-tools.tsx'
import {
  type ComparisonState,
  hiddenName,
  maxBlindItems,
  swapped,
  useComparison,
  withBlind,
} from './comparisons.ts'
import { type Hints, hintsOf } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import { useIsFirstComparison } from './use-is-first-comparison.ts'
import { useMarks } from './use-marks.ts'
import { useShowMore } from './use-show-more.tsx'
import { useSyncedScroll } from './use-synced-scroll.ts'

/** List items side by side: name, response, then all other fields. */
export default function Compare({ value, hints, field }: WidgetProps) {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) {
    throw new TypeError('compare needs a list of one or more objects.')
  }
  return <Panes items={value} hints={hints} field={field} />
}

function Panes({ items, hints, field }: { items: JsonObject[]; hints: Hints; field: string | undefined }) {
  const fieldHints = hints.items ?? {}
  const responseHints = { widget: 'markdown', ...hintsOf(fieldHints, 'response') }
  const comparison = useComparison(field, items.length)
  const { order, isBlind, pick, mayChange, change } = comparison
  const { shown, more } = useShowMore(order, 10, 'items')
  const [chosenTab, setTab] = useState(0)
  // A revision may have removed items.
  const tab = Math.min(chosenTab, shown.length - 1)
  const marks = useMarks(
    shown.map((item) => own(items[item]!, 'response')),
    responseHints.widget,
  )
  const scroll = useSyncedScroll()

  const isTooLargeForBlind = items.length > maxBlindItems && own(hints.options ?? {}, 'blind') === true
  const { isBlindByRequest } = comparison
  const canHide = mayChange && !isBlindByRequest && items.length > 1 && items.length <= maxBlindItems
  const swap = mayChange && items.length > 1 ? () => change(swapped(comparison)) : undefined
  const toggleBlind = canHide ? () => change(withBlind(comparison, !isBlind)) : undefined
  const toggleSync = scroll.isNeeded ? scroll.toggle : undefined
  const hasKeys = useIsFirstComparison()
  useShortcuts({
    ...(hasKeys && marks.toggle && { d: marks.toggle }),
    ...(hasKeys && toggleBlind && { b: toggleBlind }),
    ...(hasKeys && swap && { w: swap }),
    ...(hasKeys && toggleSync && { y: toggleSync }),
  })

  const nameAt = (position: number) =>
    isBlind ? hiddenName(position) : (nameOf(items[order[position]!]!) ?? hiddenName(position))
  return (
    <>
      <p className="help" role="status">
        {isTooLargeForBlind &&
          `Names are shown, because more than ${maxBlindItems} items can't be compared blind. `}
        {describeComparison(comparison, marks, shown.length > 2 ? nameAt(0) : undefined)}
      </p>
      <CompareTools
        diff={{ isOn: marks.isOn, toggle: marks.toggle }}
        blind={{ isOn: isBlind, toggle: toggleBlind }}
        sync={{ isOn: scroll.isOn, toggle: toggleSync }}
        swap={swap}
        hasKeys={hasKeys}
      />
      {shown.length > 1 && (
        <CompareTabs
          names={shown.map((_, position) => nameAt(position))}
          shown={tab}
          picked={pick === undefined ? -1 : shown.indexOf(pick)}
          pickLabel={pick !== undefined && comparison.canPick(pick) ? 'Your pick' : 'Picked'}
          onShow={setTab}
        />
      )}
      <div className={styles.compare}>
        {shown.map((item, position) => (
          <ComparePane
            key={item}
            item={items[item]!}
            name={nameAt(position)}
            isBlind={isBlind}
            isPicked={item === pick}
            isActive={position === tab}
            onPick={comparison.canPick(item) ? () => comparison.pickItem(item) : undefined}
            digit={
              comparison.hasDigits && comparison.canPick(item) && position < 9 ? position + 1 : undefined
            }
            responseHints={responseHints}
            fieldHints={fieldHints}
            marks={marks.isOn ? marks.byPosition[position] : undefined}
            scroll={scroll}
          />
        ))}
      </div>
      {more}
    </>
  )
}

function describeComparison(
  { wasBlind, isBlind, isBlindByRequest }: ComparisonState,
  marks: { isOn: boolean; isNotCompared: boolean },
  /** Name of the item that the others are compared with. */
  first: string | undefined,
): string {
  if (wasBlind) return 'Answered blind, in this order'
  const from = first ? ` from “${escapeBidi(first)}”` : ''
  return [
    isBlind && `Names are hidden${isBlindByRequest ? ' until the task ends' : ''}`,
    marks.isOn && `Differences${from} are highlighted`,
    marks.isNotCompared && "Differences can't be highlighted",
  ]
    .filter(Boolean)
    .join(' · ')
}
