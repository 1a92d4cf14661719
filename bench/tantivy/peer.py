"""Searches the passages of the benchmark with Tantivy: BM25 over English stems, an index in memory, one thread.

Reads the passages (`{"id", "body"}`, one a line) and the queries (`{"words"}`) from the files named on the command line, and prints how
long each query took and its first ten passages.
"""

import json
import sys
import time

import tantivy


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main(passages, queries, rounds):
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("body", tokenizer_name="en_stem")
    index = tantivy.Index(builder.build())
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    started = time.perf_counter()
    for row in rows(passages):
        writer.add_document(tantivy.Document(id=[row["id"]], body=[row["body"]]))
    writer.commit()
    writer.wait_merging_threads()
    built = time.perf_counter() - started
    index.reload()
    searcher = index.searcher()
    times, first = [], []
    asked = rows(queries)
    for number in range(rounds + 1):
        for query in asked:
            started = time.perf_counter()
            parsed = index.parse_query(query["words"], ["body"])
            hits = searcher.search(parsed, 10).hits
            ids = [searcher.doc(address)["id"][0] for _, address in hits]
            if number > 0:
                times.append(int((time.perf_counter() - started) * 1e6))
            else:
                first.append(ids)
    print(json.dumps({"built_seconds": round(built, 1), "micros": times, "ids": first}))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
