package io.fabrichealth;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class FabricHealthApplication {
  public static void main(String[] args) {
    SpringApplication.run(FabricHealthApplication.class, args);
  }
}
