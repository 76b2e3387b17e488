"""Scrapy with the stock settings but for politeness and logging. Arguments: output file, root pages."""

import json
import sys
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse

OUTPUT, *ROOTS = sys.argv[1:]
HOSTS = {urlsplit(root).netloc for root in ROOTS}


class DocsSpider(scrapy.Spider):
    name = "docs"
    start_urls = ROOTS
    pages = 0

    def parse(self, response):
        if not isinstance(response, HtmlResponse):
            return
        DocsSpider.pages += 1
        title = response.css("title::text").get("")
        text = "".join(response.xpath("//body//text()").getall())
        OUT.write(json.dumps({"url": response.url, "title": title, "text": text}) + "\n")
        for href in response.css("a::attr(href)").getall():
            url = response.urljoin(href)
            if urlsplit(url).netloc in HOSTS:
                yield scrapy.Request(url)


with open(OUTPUT, "w", encoding="utf-8") as OUT:
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": 16,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": False,
            "RETRY_ENABLED": False,
            "LOG_LEVEL": "CRITICAL",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(DocsSpider)
    process.start()
print(json.dumps({"pages": DocsSpider.pages}))
