// The names of queries that engines and their bundled plugins have, by their sources.
import { memoiseByKey } from "../json/memoise.ts";
import type { Product } from "../model/plan.ts";

export const listQueryNames = memoiseByKey((product: Product): ReadonlySet<string> => {
  return new Set([
    ...ofBoth,
    ...(product === "search-guard" ? [] : ofOpenSearch),
    ...(product === "opensearch" ? [] : ofElasticsearch),
  ]);
});

/** Of any release, with percolator, parent-join, mapper-extras and, for OpenSearch, the plugins of the whole distribution. */
const ofBoth = words(`bool boosting combined_fields common constant_score dis_max distance_feature exists
  field_masking_span function_score fuzzy geo_bounding_box geo_distance geo_polygon geo_shape has_child has_parent ids
  intervals knn match match_all match_bool_prefix match_none match_phrase match_phrase_prefix more_like_this multi_match
  nested parent_id percolate prefix query_string range rank_feature regexp script script_score simple_query_string
  span_containing span_field_masking span_first span_gap span_multi span_near span_not span_or span_term span_within
  term terms terms_set type wildcard wrapper`);
const ofOpenSearch = words(
  `agentic hybrid ltr neural neural_knn neural_sparse sltr template validating_ltr_query xy_shape`,
);
const ofElasticsearch = words(`feature geo_grid mlt pinned rule rule_query semantic shape sparse_vector text_expansion
  weighted_tokens`);

function words(list: string): readonly string[] {
  return list.split(/\s+/);
}
