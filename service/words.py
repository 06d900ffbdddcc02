"""What people read, in Russian and English: names of routes, flags, rules and reasons. Codes in records never change with the language."""

from __future__ import annotations

from features.language import Language


def word(code: str, language: Language) -> str:
    """Plain words for a code, the code itself where there are none."""
    pair = _WORDS.get(code)
    return code if pair is None else pair[0 if language == "ru" else 1]


_WORDS: dict[str, tuple[str, str]] = {
    # routes
    "live_mcp_drilldown": ("разбор объекта в живой системе", "drill-down in the live system"),
    "batch_refresh_then_store": ("пакетный пересчёт, затем хранилище", "batch refresh, then the store"),
    "hybrid_store_plus_live": ("хранилище и живая система вместе", "store and live system together"),
    "store_feature_risk": ("хранилище признаков и рисков", "feature and risk store"),
    "store_canonical": ("каноническое хранилище", "canonical store"),
    "no_route": ("без ответа", "no answer"),
    # classes
    "simple_factual": ("простой факт", "plain fact"),
    "drilldown_explain": ("разбор одного объекта", "one object explained"),
    "cross_entity": ("связь сущностей", "link between entities"),
    "trend_anomaly": ("тренд или отклонение", "trend or anomaly"),
    "heavy_analytical": ("рейтинг или сводка по всему срезу", "rating or summary over the whole slice"),
    "ambiguous": ("неясный предмет", "unclear subject"),
    "out_of_scope": ("не про учётные данные компании", "not about the company's accounting data"),
    # flags
    "needs_exact_object_trace": ("след одного объекта", "trace of one object"),
    "needs_causal_chain": ("причинная цепочка", "causal chain"),
    "needs_cross_entity_join": ("связь разных сущностей", "join of kinds"),
    "needs_full_period_aggregation": ("итог по всему периоду", "aggregation over the period"),
    "needs_ranking": ("порядок по важности", "ranking"),
    "needs_anomaly_summary": ("обзор рисков и ошибок", "overview of risks and errors"),
    "needs_runtime_truth": ("истина из самой базы", "truth from the live system"),
    "freshness_sensitive": ("важна свежесть", "freshness matters"),
    "ambiguous_object_scope": ("предмет неясен", "unclear subject"),
    "store_sufficiency_confident": ("хранилищам можно верить", "stores can be relied on"),
    "precomputed_aggregate_available": ("готовый агрегат есть", "ready aggregate exists"),
    "parsed_as_trend_or_risk": ("тренд или риск", "trend or risk"),
    # guards and what else decides
    "exact_object_trace": ("нужен след одного объекта", "one object must be traced"),
    "heavy_without_ready_aggregate": (
        "тяжёлый вопрос, а свежего готового агрегата нет",
        "a heavy question and no fresh ready aggregate",
    ),
    "causal_join_not_explained": (
        "причинная связь сущностей, а готовых объяснений нет",
        "a causal join and no stored explanation",
    ),
    "trend_or_risk_in_feature_store": (
        "тренд или риск, и хранилище признаков это знает",
        "a trend or risk that the feature store knows",
    ),
    "fact_in_canonical_store": (
        "простой факт, и он есть в каноническом хранилище",
        "a plain fact that the canonical store holds",
    ),
    "fallback": ("ни одно хранилище не отвечает само", "no store can answer by itself"),
    "fallback_low_confidence": ("уверенности для хранилища мало", "too unsure for a store"),
    # reasons
    "empty_question": ("вопрос пуст", "the question is empty"),
    "unreadable_question": (
        "в вопросе нет ни слова, которое можно прочесть",
        "there is no word in it that can be read",
    ),
    "in_scope": ("вопрос про данные компании", "it is about the company's data"),
    "no_exact_object": ("один объект не назван", "no single object is named"),
    "not_heavy": ("ни итога, ни рейтинга, ни обзора не просят", "neither total, rating nor overview is asked for"),
    "aggregate_ready": ("готовый агрегат уже есть", "a ready aggregate exists"),
    "aggregate_not_sufficient": ("готового агрегата нужного вида нет", "no ready aggregate of the needed kind"),
    "decided_earlier": ("раньше сработало другое правило", "an earlier rule decided"),
    "store_sufficient": ("хватает хранилища", "the store is enough"),
    "not_trend_or_risk": ("ни тренда, ни риска не просят", "neither trend nor risk is asked for"),
    "runtime_truth_needed": ("спрашивать надо саму базу", "the live system must be asked"),
    "wrong_query_shape": ("отвечает только на простые факты", "answers plain facts only"),
    "low_confidence": ("уверенность ниже предела", "confidence is under the limit"),
    "uncertain_flag": ("решающий признак неясен", "a deciding flag is uncertain"),
    "metadata_missing": ("нет сведений о хранилищах", "no store metadata"),
    "metadata_broken": ("сведения о хранилищах испорчены", "store metadata is broken"),
    "metadata_contradictory": ("сведения о хранилищах противоречат себе", "store metadata contradicts itself"),
    "snapshot_incomplete": ("снимок неполон", "the snapshot is incomplete"),
    "period_not_covered": ("этого периода в хранилищах нет", "the period is not loaded"),
    "entity_kind_missing": ("таких сущностей в снимке нет", "such entities are not loaded"),
    "grouping_missing": ("нет такой группировки", "no such grouping"),
    "time_grain_missing": ("нет ряда с таким шагом", "no series of that grain"),
    "risk_level_missing": ("нет оценок риска этого уровня", "no risk scores at that level"),
    "canonical_stale": ("каноническое хранилище от старого снимка", "the canonical store is of an older snapshot"),
    "feature_stale": ("хранилище признаков от старого снимка", "the feature store is of an older snapshot"),
    "risk_stale": ("хранилище рисков от старого снимка", "the risk store is of an older snapshot"),
    "data_too_old": ("данные старше допустимого", "data is older than allowed"),
    "ranking_aggregate_missing": ("готового рейтинга нет", "no ready ranking"),
    "summary_aggregate_missing": ("готовой сводки нет", "no ready summary"),
    "breakdown_aggregate_missing": ("готовой разбивки нет", "no ready breakdown"),
    "ranking_level_missing": ("готовый рейтинг не того уровня", "the ready ranking is of another level"),
    "summary_level_missing": ("готовая сводка не того уровня", "the ready summary is of another level"),
    "breakdown_level_missing": ("готовая разбивка не того уровня", "the ready breakdown is of another level"),
    "ranking_aggregate_stale": ("готовый рейтинг устарел", "the ready ranking is stale"),
    "summary_aggregate_stale": ("готовая сводка устарела", "the ready summary is stale"),
    "breakdown_aggregate_stale": ("готовая разбивка устарела", "the ready breakdown is stale"),
    "explanation_not_materialised": ("причинные связи в хранилище не записаны", "causal links are not stored"),
    # headings
    "class": ("Класс", "Class"),
    "needs": ("Нужно", "Needs"),
    "nothing_special": ("ничего сверх простого факта", "nothing beyond a plain fact"),
    "stores": ("Хранилища", "Stores"),
    "sufficient": ("отвечают на такой вопрос", "can answer this"),
    "why": ("Почему", "Why"),
    "why_not": ("Почему не", "Why not"),
    "probability": ("вероятность", "probability"),
    "decision": ("решение", "decision"),
    "truncated": ("прочитано начало", "read the beginning"),
    "period": ("Период", "Period"),
    "loaded_slice": ("не назван, берётся загруженный", "not named: the loaded one"),
    "flags_and_words": (
        "Что нужно ответу, и какие слова это сказали (в логарифмах шансов)",
        "What an answer needs, and which words said so (in log-odds)",
    ),
    "flag": ("признак", "flag"),
    "threshold": ("порог", "threshold"),
    "words": ("слова", "words"),
    "guards": ("Правила по порядку: решает первое, что сработало", "Guards in order: the first that fires decides"),
    "guard": ("правило", "guard"),
    "evidence": ("Отвергнутые маршруты", "Rejected routes"),
    "route_probabilities": ("Вероятности маршрутов", "Route probabilities"),
    "flips": ("Что изменило бы маршрут", "What would change the route"),
}
