import { listTexts, type Value } from "../../json/value.ts";
import type { ListedSetting, ListedTarget } from "../../model/listed-target.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { formatPlace } from "./place.ts";

/** A target as text shows it. */
export interface ListedTargetView {
  /** `prod`, and whether it is the usual one. */
  readonly title: string;
  readonly settings: readonly SettingView[];
}

export interface SettingView {
  /** `tls.ca` */
  readonly name: string;
  readonly value: string;
  /** `gate-sync.yaml:3`, after `defaults` where it is inherited. */
  readonly from: string;
}

export function createTargetsView(targets: readonly ListedTarget[]): readonly ListedTargetView[] {
  return targets.map(({ name, isUsual, settings }) => ({
    title: `${formatName(name)}${isUsual ? ", taken where none is chosen" : ""}`,
    settings: settings.map(describeSetting),
  }));
}

function describeSetting(setting: ListedSetting): SettingView {
  const { path, value, written, isInherited } = setting;
  const place = formatPlace(setting);
  return {
    name: escapeInvisible(path.join(".")),
    value: written ?? formatSetting(value),
    from: isInherited ? `defaults, ${place}` : place,
  };
}

/** A list of texts as these, separated by commas; all else as JSON. */
function formatSetting(value: Value): string {
  if (typeof value === "string") return formatName(value);
  const texts = listTexts(value);
  return Array.isArray(value) && texts.length === value.length && texts.length > 0
    ? joinNames(texts)
    : escapeInvisible(JSON.stringify(value));
}
